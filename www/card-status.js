// The status line of a card: where and how far a file is, or what is wrong with it.
import { errorMessage } from "./errors.js";
import { formatDuration, formatRemaining } from "./formatting.js";
import { keptReason } from "./losses.js";
import { service } from "./service.js";
import { text } from "./text.js";

const { card: words, phases } = text;
/** The remaining time is shown if it is more milliseconds than this. */
const LONG_MS = 2_000;

/** The status of an item as text. */
export function statusText({ state, call, progress, retried, ms, host, error, result, made }) {
  if (state === "reading") return phases.wait;
  if (state === "working" && call.remote && progress.phase !== "wait") return serverStatus(progress.phase, retried);
  if (state === "working") return workText(progress);
  if (state === "done") return keptReason(result, made) ?? whereAndHowLong(host, ms);
  if (state === "needs-consent") return words.consent(service.host);
  if (state === "no-server" && error) return words.serverMay(errorMessage(error));
  if (state === "no-server") return words.noServer;
  return state === "canceled" ? words.canceled : errorMessage(error);
}

const whereAndHowLong = (host, ms) => (host ? words.byHost(host, formatDuration(ms)) : words.byDevice(formatDuration(ms)));

/** As in "Compressing, attempt 3 · 12 s left". */
function workText({ phase, attempt, remaining }) {
  const name = phases[phase] ?? phase;
  const work = attempt ? words.attempt(name, attempt) : name;
  return remaining > LONG_MS ? words.left(work, formatRemaining(remaining)) : work;
}

function serverStatus(phase, retried) {
  if (retried) return words.busy(service.host);
  return phase === "load" ? words.connecting(service.host) : phases[phase];
}
