// Lists: one page, or all items over all pages.
import { invalid } from "../options.js";
import { readCall } from "./arguments.js";
import { linkOf } from "./resources.js";
import { readText, readWhole } from "./client-options.js";

/** `run` runs the call `name`; `read` extracts the items of a response. */
export function createList(run, baseUrl, name, read, options = {}) {
  const fetchPage = async (link) => {
    const { signal, ...call } = readOptions(options);
    const answer = await run(name, { ...call, link }, { signal });
    return { answer, items: read(answer) };
  };
  return {
    async page() {
      const { answer, items } = await fetchPage();
      const cursor = (side, parameter) => cursorOf(linkOf(answer.links?.[side]), parameter, baseUrl);
      const cursors = { next: cursor("next", "page[after]"), prev: cursor("prev", "page[before]") };
      return { items, ...cursors, rangeTruncated: answer.meta?.rangeTruncated === true };
    },
    async *[Symbol.asyncIterator]() {
      const side = readOptions(options).before === undefined ? "next" : "prev";
      const seen = new Set();
      let link;
      do {
        seen.add(link);
        const { answer, items } = await fetchPage(link);
        yield* items;
        const further = linkOf(answer.links?.[side]);
        // Stops if the server's links form a cycle.
        link = items.length > 0 && !seen.has(further) ? further : undefined;
      } while (link);
    },
  };
}

function cursorOf(link, parameter, baseUrl) {
  try {
    return new URL(link, baseUrl).searchParams.get(parameter) ?? undefined;
  } catch {
    return undefined;
  }
}

function readOptions(options) {
  const { signal, pageSize, after, before } = readCall(options, ["pageSize", "after", "before"]);
  if (after !== undefined && before !== undefined) throw invalid("before", "and after exclude each other");
  return {
    signal,
    pageSize: readWhole("pageSize", pageSize, undefined, 1, 100),
    after: readText("after", after),
    before: readText("before", before),
  };
}
