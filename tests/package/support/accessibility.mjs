// What axe-core finds in a page, which any of the drivers has opened.
import { strict as assert } from "node:assert";
import { readFileSync } from "node:fs";

/** Of all drivers, each runs a function in the page; some take no script. */
const AXE = new Function(readFileSync(new URL("../../../node_modules/axe-core/axe.min.js", import.meta.url), "utf8"));

/** The violations in the page as it stands, one line each. `least`: the checks that pass if axe has looked at all of it. */
export async function violations(page, least) {
  await page.evaluate(AXE);
  const { checked, found } = await page.evaluate(async () => {
    const { violations, passes } = await axe.run(document, { resultTypes: ["violations"] });
    const words = ({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join("; ")}`;
    return { checked: passes.length, found: violations.map(words) };
  });
  assert.ok(checked >= least, "axe checked next to nothing");
  return found;
}
