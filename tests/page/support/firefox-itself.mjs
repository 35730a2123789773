// Runs scripts in Firefox itself rather than in a page, for what is the system's or a setting of the browser.

/** Resolves to what `work(argument)` returns there. `page` is one of Puppeteer. */
export async function evaluateInFirefox(page, work, argument) {
  const { connection } = page.browser();
  const tree = await connection.send("browsingContext.getTree", { "moz:scope": "chrome" });
  const [{ context }] = tree.result.contexts;
  const expression = `(${work})(${JSON.stringify(argument)})`;
  const { result } = await connection.send("script.evaluate", { expression, target: { context }, awaitPromise: false });
  if (result.type === "exception") throw new Error(result.exceptionDetails.text);
  return result.result.value;
}
