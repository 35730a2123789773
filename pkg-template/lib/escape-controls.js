// Texts of others as they may be shown: names of files out of an archive, words of a service.

/** What moves a terminal's cursor (C0, DEL, C1), ends a line, or turns the direction of reading (Unicode Standard Annex 9, 2). */
const MOVING = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g;

/** One line of characters that can be seen; U+FFFD stands for each other one. */
export const escapeControls = (text, instead = "\ufffd") => text.replace(MOVING, instead);

/** The same of sentences, whose line ends are blanks. */
export const escapeToLine = (text) => escapeControls(text.replace(/\s+/g, " "));
