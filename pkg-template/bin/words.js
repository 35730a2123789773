// Messages of the package and of the system in the words of the command line: its options, and advice that can be followed there.

const OPTIONS = /\boptions\.(?:resize\.)?([a-z]+(?:[A-Z][a-z]+)*)|\b(targetSize|minScore|maxWidth|maxHeight|baseUrl)\b/g;
const NAMES = { baseUrl: "server", fonts: "font", settings: "set" };

/** `types`: what `formats` of the package says. */
export function inWords({ code, message, syscall, cause, status, details }, types) {
  if (syscall) return message.replace(/^\w+: /, "").replace(/, \w+(?: '.*')?$/s, "");
  if (code === "needs_service") return `${message.replace(/, and there is no `client`/, "")} Name one by --server.`;
  if (code === "unsupported_pair" && details?.outputs) {
    return `${upToSemicolon(message)}; it can become ${extensions(details.outputs, types)}.`;
  }
  if (/self-?signed certificate/i.test(`${message} ${reasons(cause)}`)) {
    return `${message} Name its authority's file in NODE_EXTRA_CA_CERTS.`;
  }
  if (status === 401 && !process.env.FILEPRESS_API_KEY) return `${message} FILEPRESS_API_KEY holds no key.`;
  return inOptions(message);
}

/** `options.resize.maxWidth` is `--max-width` here. */
export function inOptions(message) {
  const flags = message.replaceAll(OPTIONS, (_, member, alone) => flag(member ?? alone));
  return flags.replaceAll("`formats()`", "`filepress formats`");
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
