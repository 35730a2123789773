// Messages of the package and of the system in the words of the command line: its options, and advice that can be followed there.

/** As `options.quality`, as a word in code, or as a name that is no word of the language. */
const OPTIONS = new RegExp(
  [
    /\boptions\.(?:resize\.)?([a-z]+(?:[A-Z][a-z]+)*)/,
    /`(animation|background|effort|engine|fonts|lossless|metadata|minScore|quality|settings|targetSize)`/,
    /\b(targetSize|minScore|maxWidth|maxHeight|baseUrl)\b/,
  ].map(({ source }) => source).join("|"),
  "g",
);
/** As `metadata: "strip"`. */
const WITH_VALUE = /`([a-z]+): "(\w+)"`/g;
const NAMES = { baseUrl: "server", fonts: "font", settings: "set" };

/** `types`: what `formats` of the package says. */
export function toUserMessage({ code, message, syscall, cause, status, details }, types) {
  if (syscall) return message.replace(/^\w+: /, "").replace(/, \w+(?: '.*')?$/s, "");
  if (code === "needs_service") return `${message.replace(/, and there is no `client`/, "")} Name one by --server.`;
  if (code === "unsupported_pair" && details?.outputs) {
    return `${upToSemicolon(message)}; it can become ${extensions(details.outputs, types)}.`;
  }
  if (/self-?signed certificate/i.test(`${message} ${reasons(cause)}`)) {
    return `${message} Name its authority's file in NODE_EXTRA_CA_CERTS.`;
  }
  if (status === 401 && !process.env.FILEPRESS_API_KEY) return `${message} FILEPRESS_API_KEY holds no key.`;
  return withFlagNames(message);
}

/** `options.resize.maxWidth` is `--max-width` here. */
export function withFlagNames(message) {
  const members = message.replaceAll(WITH_VALUE, "options.$1 $2");
  const flags = members.replaceAll(OPTIONS, (_, member, quoted, alone) => flag(member ?? quoted ?? alone));
  return flags.replaceAll(/\bformats\(\)/g, "`filepress formats`");
}

const flag = (name) => `--${NAMES[name] ?? name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

const upToSemicolon = (message) => message.split(/;|\.$/)[0];

function extensions(outputs, types) {
  return outputs.map((output) => types.find(({ type }) => type === output)?.extensions[0] ?? output).join(", ");
}

/** The messages of an error's causes: fetch says what went wrong there alone. */
function reasons(cause) {
  return cause ? `${cause.code ?? ""} ${cause.message ?? ""} ${reasons(cause.cause)}` : "";
}
