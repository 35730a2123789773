// Shows progress on standard error: on a terminal as one line that is redrawn; elsewhere as one line per step of files that are sent
// to a server, because these take long.
import { escapeControls } from "../lib/escape-controls.js";
import { writeLine } from "./print.js";

const EVERY_MS = 100;
/** The remaining time is shown if it is more than this. */
const LONG_MS = 2_000;
/** The phases that take long by a server. */
const SLOW = ["upload", "process", "download"];

/** `total`: number of files. With `quiet` nothing is shown. */
export function createProgress({ quiet, total, stream = process.stderr }) {
  const states = new Map();
  const live = stream.isTTY && !quiet;
  let [finished, drawn, shown] = [0, 0, false];

  function update(input, state) {
    const before = states.get(input);
    states.set(input, state);
    if (live) draw();
    else if (!quiet && before?.phase !== state.phase && SLOW.includes(state.phase)) writeLine(stream, `${input.shown}: ${state.phase}`);
  }

  function finish(input) {
    states.delete(input);
    finished += 1;
  }

  function draw() {
    if (performance.now() - drawn < EVERY_MS) return;
    drawn = performance.now();
    const running = [...states.values()].reduce((sum, { ratio }) => sum + ratio, 0);
    const [[input, state]] = states;
    const share = Math.floor((100 * (finished + running)) / total);
    const line = `${String(share).padStart(3)} %  ${finished}/${total}  ${describe(state)}  ${input.shown}`;
    stream.write(`\r\u001b[2K${escapeControls(line).slice(0, (stream.columns || 80) - 1)}`);
    shown = true;
  }

  /** As in "encode 40 %, try 3, 12 s left". */
  function describe({ phase, ratio, attempt, remaining }) {
    const parts = [`${phase} ${Math.floor(100 * ratio)} %`];
    if (attempt) parts.push(`try ${attempt}`);
    if (remaining > LONG_MS) parts.push(`${Math.round(remaining / 1000)} s left`);
    return parts.join(", ");
  }

  /** Clears the line, before anything else is printed. */
  function clear() {
    if (shown) stream.write("\r\u001b[2K");
    shown = false;
  }

  return { update, finish, clear };
}
