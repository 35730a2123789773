// Watches whether requests reach the server. The package retries by itself, usually for two minutes, without reporting it in its
// progress; but Resource Timing reports how each request ended.

/** Statuses after which the package retries. */
const RETRIED = [408, 425, 429, 500, 502, 503, 504];

/**
 * Watches requests that start from now on.
 * @param {string} address of the server.
 * @param {(outcome: "silent" | "busy" | "answered") => void} tell is called when a request ends. A response whose body was
 *   dropped may count as "silent".
 * @returns {() => void} stops watching.
 */
export function watchConnection(address, tell) {
  const begin = performance.now();
  const hear = ({ name, initiatorType, responseStatus, startTime }) => {
    // Not every browser reports the status.
    if (!["fetch", "xmlhttprequest"].includes(initiatorType) || responseStatus === undefined) return;
    if (startTime < begin || !name.startsWith(`${address}/`)) return;
    if (responseStatus === 0) tell("silent");
    else tell(RETRIED.includes(responseStatus) ? "busy" : "answered");
  };
  const observer = new PerformanceObserver((list) => list.getEntries().forEach(hear));
  observer.observe({ type: "resource" });
  return () => observer.disconnect();
}
