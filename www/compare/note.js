// The line of messages in the comparison. Several parts write it; the most important message that there is gets shown.
const note = document.getElementById("compare-note");

/** By importance: what became of the settings, of copying or sharing, messages about the images, about their score. */
const messages = { settings: "", handover: "", sides: "", score: "" };

/** Sets the message of a part; an empty `line` removes it. */
export function say(about, line) {
  messages[about] = line;
  note.textContent = Object.values(messages).find(Boolean) ?? "";
}
