// Replaces control characters in untrusted text, such as file names and messages of a server, before it is shown.

/** C0 controls, DEL, C1 controls, line separators, and bidirectional formatting characters (UAX #9, section 2). */
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g;

/** Replaces each control character, by default with U+FFFD. */
export const escapeControls = (text, replacement = "\ufffd") => text.replace(CONTROLS, replacement);

/** The same, with line breaks and other white space collapsed to spaces. */
export const escapeToLine = (text) => escapeControls(text.replace(/\s+/g, " "));
