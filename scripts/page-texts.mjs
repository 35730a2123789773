// Writes the texts of a catalog into the page, so that it can be read before a script runs.

/** Attributes that name a text, and where it goes: into the element, or into an attribute of it. */
const PLACES = { label: "aria-label", placeholder: "placeholder", content: "content" };

const escape = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.codePointAt(0)};`);

/**
 * @param {string} html the page, whose elements with `data-text` are empty.
 * @param {Record<string, string>} texts by key. A key that is missing is an error.
 */
export function fillTexts(html, texts) {
  const text = (key) => {
    if (!Object.hasOwn(texts, key)) throw new Error(`no text for ${key}`);
    return escape(texts[key]);
  };
  const filled = html.replace(/(<(\w+)\b[^>]*\bdata-text="(\w+)"[^>]*>)(?=<\/\2>)/g, (whole, head, tag, key) => head + text(key));
  return filled.replace(/\bdata-(label|placeholder|content)="(\w+)"/g, (whole, name, key) => `${whole} ${PLACES[name]}="${text(key)}"`);
}
