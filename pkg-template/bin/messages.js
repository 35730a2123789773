// Translates messages of the package and of the system to the command line: option names become flags, and advice can be followed there.

/** Option names in messages: as `options.quality`, in backticks, or as a camel-case word. */
const OPTIONS = new RegExp(
  [
    /\boptions\.(?:resize\.)?((?:overlay\.)?[a-z]+(?:[A-Z][a-z]+)*)/,
    /`(animation|background|chroma|colors|dither|effort|engine|fonts|hdr|lossless|metadata|minScore|overlay|quality|settings|targetSize)`/,
    /\b(targetSize|minScore|maxWidth|maxHeight|baseUrl)\b/,
  ].map(({ source }) => source).join("|"),
  "g",
);
/** An option with its value, as in `metadata: "strip"`. */
const WITH_VALUE = /`([a-z]+): "(\w+)"`/g;
const NAMES = { baseUrl: "server", fonts: "font", settings: "set" };

/** The message of an error for the user. `types` is the result of `formats()`. */
export function toUserMessage({ code, message, syscall, cause, status, details }, types) {
  if (syscall) return message.replace(/^\w+: /, "").replace(/, \w+(?: '.*')?$/s, "");
  if (code === "needs_service" && / needs a server/.test(message)) {
    const why = message.includes("`engine`") ? ", but --engine is local." : ". Set one with --server.";
    return `${types.find(({ type }) => type === details.type)?.name ?? "This"} needs a server${why}`;
  }
  if (code === "unsupported_pair" && details?.outputs) {
    return `${upToSemicolon(message)}; it can be converted to ${extensions(details.outputs, types)}.`;
  }
  if (/self-?signed certificate/i.test(`${message} ${reasons(cause)}`)) {
    return `${message} Set NODE_EXTRA_CA_CERTS to the certificate file of its authority.`;
  }
  if (status === 401 && !process.env.FILEPRESS_API_KEY) return `${message} FILEPRESS_API_KEY is not set.`;
  return withFlagNames(message);
}

/** Replaces option names by flags: `options.resize.maxWidth` becomes `--max-width`. */
export function withFlagNames(message) {
  const members = message.replaceAll(WITH_VALUE, "options.$1 $2");
  const flags = members.replaceAll(OPTIONS, (_, member, quoted, alone) => flag(member ?? quoted ?? alone));
  return flags.replaceAll(/\bformats\(\)/g, "`filepress formats`");
}

const flag = (name) => `--${NAMES[name] ?? name.replaceAll(/[A-Z]|\./g, (letter) => (letter === "." ? "-" : `-${letter.toLowerCase()}`))}`;

const upToSemicolon = (message) => message.split(/;|\.$/)[0];

function extensions(outputs, types) {
  return outputs.map((output) => types.find(({ type }) => type === output)?.extensions[0] ?? output).join(", ");
}

/** The messages of an error's causes. fetch describes network errors only there. */
function reasons(cause) {
  return cause ? `${cause.code ?? ""} ${cause.message ?? ""} ${reasons(cause.cause)}` : "";
}
