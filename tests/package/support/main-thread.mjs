// The processor time of a page's main thread. Unlike elapsed time, it does not depend on other work on the machine.

/** Resolves to the longest task of `page` while `work()` runs, in milliseconds of processor time. */
export async function longestTask(browser, page, work) {
  await browser.startTracing(page, { categories: ["toplevel", "__metadata"] });
  await work();
  // A task of the page is told when it ends, which is after its answer: another task of the page has to begin.
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
  const { traceEvents } = JSON.parse(await browser.stopTracing());
  const threadOf = ({ pid, tid }) => `${pid} ${tid}`;
  const isMain = ({ name, args }) => name === "thread_name" && args.name === "CrRendererMain";
  const mains = new Set(traceEvents.filter(isMain).map(threadOf));
  const isTask = ({ name, tdur }) => name.endsWith("RunTask") && tdur !== undefined;
  const tasks = traceEvents.filter((event) => isTask(event) && mains.has(threadOf(event)));
  if (tasks.length === 0) throw new Error("the browser told of no task");
  return Math.max(...tasks.map(({ tdur }) => tdur)) / 1000;
}
