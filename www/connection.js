// Whether requests to the service get through. The package tries again by itself, for two minutes as a rule, and its progress
// says nothing of that; but the browser tells a page how each of its requests ended (Resource Timing).

/** Statuses after which the package tries again. */
const BUSY = [408, 425, 429, 500, 502, 503, 504];
/** So many in a row: a request whose answer was read, and then let go, may look as if it had none. */
const ENOUGH = 3;

/**
 * Watches the requests that begin from now on.
 * @param {string} address of the service.
 * @param {(refused: number) => void} tell hears how many in a row were not answered, or asked to come again.
 * @returns {() => void} ends it.
 */
export function watchConnection(address, tell) {
  const begin = performance.now();
  let refused = 0;
  const hear = ({ name, initiatorType, responseStatus, startTime }) => {
    // Not every browser tells the status.
    if (!["fetch", "xmlhttprequest"].includes(initiatorType) || responseStatus === undefined) return;
    if (startTime < begin || !name.startsWith(`${address}/`)) return;
    refused = responseStatus === 0 || BUSY.includes(responseStatus) ? refused + 1 : 0;
    tell(refused);
  };
  const observer = new PerformanceObserver((list) => list.getEntries().forEach(hear));
  observer.observe({ type: "resource" });
  return () => observer.disconnect();
}

/** Whether that many mean, in a phase of the call, that it is tried again. The first answer ends the first phase. */
export const isRetried = (refused, phase) => refused >= (phase === "load" ? 1 : ENOUGH);
