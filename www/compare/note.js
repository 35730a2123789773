// The line of messages in the comparison. Several parts write it; the most important message that there is gets shown.
const note = document.getElementById("compare-note");

/** By importance: what became of copying or sharing, of the settings, messages about the images, about their score. */
const messages = { handover: "", settings: "", sides: "", score: "" };

/** Sets the message of a part; an empty `line` removes it. */
export function say(about, line) {
  messages[about] = line;
  note.textContent = Object.values(messages).find(Boolean) ?? "";
}
