// Counts what the page gives its workers to do: settings that were tried before cost nothing.

/** The calls that workers are given while something happens. */
export async function countCalls(page, happens) {
  await page.evaluate(() => {
    globalThis.counted = 0;
    globalThis.post ??= Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (message, ...rest) {
      if (message.call === "process") globalThis.counted++;
      globalThis.post.call(this, message, ...rest);
    };
  });
  await happens();
  return page.evaluate(() => globalThis.counted);
}
