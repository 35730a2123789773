// The progress between two reports of an engine, which is silent while a codec works: estimated from the time that passed.

const EVERY_MS = 200;

/** The expected milliseconds of the first step, before there is a pace. */
const FIRST_MS = 500;

/**
 * Passes reports of an engine on to `progress`, and estimates between them. Returns { onStage, stop }: `onStage(stage, ratio, next, attempt)`
 * takes a report, where `next` is the ratio of the following one. After `stop()` nothing is passed on.
 */
export function createStageProgress(progress) {
  let timer, begun, report, stopped;

  function estimate() {
    const { stage, ratio, next, attempt, at, expected } = report;
    // Approaches the next report and never reaches it, however wrong the expectation is.
    const share = 1 - Math.exp((at - performance.now()) / expected);
    progress(stage, ratio + (next - ratio) * share, { attempt });
  }

  function onStage(stage, ratio, next, attempt) {
    // The result is not complete yet.
    if (stopped || stage === "done") return;
    const at = performance.now();
    begun ??= at;
    const expected = ratio > 0 ? ((at - begun) / ratio) * (next - ratio) : FIRST_MS;
    report = { stage, ratio, next, attempt, at, expected: Math.max(expected, 1) };
    progress(stage, ratio, { attempt });
    timer ??= setInterval(estimate, EVERY_MS);
  }

  function stop() {
    stopped = true;
    clearInterval(timer);
  }

  return { onStage, stop };
}
