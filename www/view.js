// What the visitor sees of a run: work, result, fault. Text is set as text, never as markup.
import { clearAfter, showAfter, showBefore } from "./pictures.js";
import { duration, phases, saving, size } from "./words.js";

const part = (id) => document.getElementById(id);
const say = (id, text) => { part(id).textContent = text; };
const show = (id, visible = true) => { part(id).hidden = !visible; };
const enter = (state) => { document.body.dataset.state = state; };

let clock;

export function onCancel(cancel) {
  part("cancel").addEventListener("click", cancel);
  document.addEventListener("keydown", ({ key }) => key === "Escape" && cancel());
}

export function showTypes(types) {
  say("drop-types", types.map(({ name }) => name).join(" · "));
  part("file").accept = types.flatMap(({ type, extensions }) => [type, ...extensions.map((extension) => `.${extension}`)]).join(",");
}

export function showNote(words) {
  say("note", words);
  show("note", words !== "");
}

/** A new picture: everything about the one before it goes. */
export function showPicture(file) {
  show("outcome", false);
  show("compare");
  say("before-size", size(file.size));
  say("before-type", file.type || "–");
  say("before-pixels", "–");
  say("before-name", file.name || "–");
  showBefore(file);
  forgetResult();
}

export function showFound({ type, width, height }) {
  say("before-type", type);
  say("before-pixels", `${width} × ${height}`);
}

export function showWork() {
  enter("working");
  show("error", false);
  show("work");
  say("phase", "Starting");
  part("progress").value = 0;
  const started = performance.now();
  clearInterval(clock);
  clock = setInterval(() => say("elapsed", duration(performance.now() - started)), 100);
}

export function showProgress({ phase, ratio }) {
  say("phase", phases[phase] ?? phase);
  part("progress").value = ratio;
}

export function showResult(file, { result, ms }) {
  rest("done");
  const { blob, name, type, width, height, inputSize, outputSize, keptOriginal, warnings } = result;
  const { number, words, outcome } = saving(inputSize, outputSize);
  part("outcome").dataset.outcome = outcome;
  say("saved", number);
  say("saved-words", words);
  const largest = Math.max(inputSize, outputSize);
  part("before-bar").style.setProperty("--share", inputSize / largest);
  part("after-bar").style.setProperty("--share", outputSize / largest);
  say("after-size", size(outputSize));
  say("after-type", type);
  say("after-pixels", `${width} × ${height}`);
  say("after-time", duration(ms));
  const kept = keptOriginal ? ["Coding it again gained nothing: these are the original’s own pixels."] : [];
  showWarnings([...kept, ...warnings.map(({ message }) => message)]);
  part("download").href = showAfter(blob);
  part("download").download = name;
  say("download", `Download ${name}`);
  show("outcome");
  say("status", `Done: ${words}, ${number}, in ${duration(ms)}.`);
}

export function showCancelled() {
  rest("cancelled");
  forgetResult();
  say("status", "Cancelled.");
}

export function showFault(error) {
  rest("error");
  forgetResult();
  say("error-message", error.message);
  say("error-code", error.code ?? error.name);
  say("error-kind", error.kind ?? "unknown");
  show("error");
}

function rest(state) {
  clearInterval(clock);
  enter(state);
  show("work", false);
}

function forgetResult() {
  show("outcome", false);
  for (const id of ["after-size", "after-type", "after-pixels", "after-time"]) say(id, "–");
  part("download").removeAttribute("href");
  clearAfter();
}

function showWarnings(messages) {
  part("warnings").replaceChildren(
    ...messages.map((message) => Object.assign(document.createElement("li"), { textContent: message })),
  );
  show("warnings", messages.length > 0);
}
