// Changes to the JavaScript that wasm-bindgen generates. Text encoders and decoders are created on first use, so that
// importing the package has no effects: jsdom in Jest has neither. Functions that the package never calls are
// removed, because every page would load them.

const COMPILED = `if (wasm !== undefined) return wasm;

    `;

/** Generated text, and what stands in its place. Every one occurs once in the glue of every build. */
const CHANGES = [
  ["let cachedTextDecoder = new TextDecoder('utf-8', { ignoreBOM: true });\ncachedTextDecoder.decode();\n", "let cachedTextDecoder;\n"],
  ["    if (numBytesDecoded >= MAX_SAFARI_DECODE_BYTES) {", "    if (!cachedTextDecoder || numBytesDecoded >= MAX_SAFARI_DECODE_BYTES) {"],
  ["cachedTextEncoder.encodeInto(arg, view);", "(cachedTextEncoder ??= new TextEncoder()).encodeInto(arg, view);"],
  // With encodeInto for engines that lack it: none of those runs the package.
  [/const cachedTextEncoder = new TextEncoder\(\);\n\nif \(!\('encodeInto' in cachedTextEncoder\)\) \{\n.*?\n\}\n/s, "let cachedTextEncoder;\n"],
  // For strings without a realloc, which no build has.
  [/    if \(realloc === undefined\) \{\n        const buf = cachedTextEncoder.*?\n    \}\n\n/s, ""],
  // Downloads, and sources that are no compiled module.
  [/async function __wbg_load\(.*?\n\}\n\n/s, ""],
  [
    /function initSync\(module\) \{\n.*?\n\}\n/s,
    `function initSync({ module }) {
    ${COMPILED}return __wbg_finalize_init(new WebAssembly.Instance(module, __wbg_get_imports()), module);
}
`,
  ],
  [/let __wbg_init_promise;\n/, ""],
  [
    /async function __wbg_init\(module_or_path\) \{\n.*?\n\}\n/s,
    `async function __wbg_init({ module_or_path: module }) {
    ${COMPILED}return __wbg_finalize_init(await WebAssembly.instantiate(module, __wbg_get_imports()), module);
}
`,
  ],
  [/async function __wbg_init_once\(.*?\n\}\n\n/s, ""],
];

/** The glue of `build` with these changes. Fails if wasm-bindgen generates something else than it did. */
export function adaptGlue(build, glue) {
  return CHANGES.reduce((text, [found, replacement]) => {
    if (text.split(found).length !== 2) throw new Error(`the glue of ${build} does not contain once: ${found}`);
    return text.replace(found, () => replacement);
  }, glue);
}
