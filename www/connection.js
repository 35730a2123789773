// Whether requests to the service get through. The package tries again by itself, for two minutes as a rule, and its progress says
// nothing of that; but the browser tells a page how each of its requests ended (Resource Timing).

/** Statuses after which the package tries again. */
const BUSY = [408, 425, 429, 500, 502, 503, 504];

/**
 * Watches the requests that begin from now on.
 * @param {string} address of the service.
 * @param {(outcome: "silent" | "busy" | "answered") => void} tell hears how each ended. An answer that was read and then let go
 *   may count as "silent".
 * @returns {() => void} ends it.
 */
export function watchConnection(address, tell) {
  const begin = performance.now();
  const hear = ({ name, initiatorType, responseStatus, startTime }) => {
    // Not every browser tells the status.
    if (!["fetch", "xmlhttprequest"].includes(initiatorType) || responseStatus === undefined) return;
    if (startTime < begin || !name.startsWith(`${address}/`)) return;
    if (responseStatus === 0) tell("silent");
    else tell(BUSY.includes(responseStatus) ? "busy" : "answered");
  };
  const observer = new PerformanceObserver((list) => list.getEntries().forEach(hear));
  observer.observe({ type: "resource" });
  return () => observer.disconnect();
}
