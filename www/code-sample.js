// Formats a planned call as JavaScript code.

/** @param {{ to?: string, options: object, remote: boolean }} call as `planCall` gives it. */
export function codeSample({ to, options, remote }) {
  const verb = to ? "convert" : "compress";
  const whole = remote ? { client: true, ...options } : options;
  const given = ["file", to && JSON.stringify(to), literal(whole)].filter(Boolean).join(", ");
  const imported = remote ? `Client, ${verb}` : verb;
  const client = 'const client = new Client({ baseUrl: "https://…" });';
  return [
    `import { ${imported} } from "filepress";`,
    "",
    ...(remote ? [client] : []),
    "const { blob } =",
    `  await ${verb}(${given});`,
  ].join("\n");
}

/** A value as JavaScript, one member per line; "" for an object without members. */
function literal(value, indent = "  ") {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value !== "object") return String(value);
  const members = Object.entries(value).map(([key, member]) => {
    if (key === "image") return `${indent}  image: logo,\n`;
    if (key === "client") return `${indent}  client,\n`;
    return `${indent}  ${key}: ${literal(member, `${indent}  `)},\n`;
  });
  return members.length === 0 ? "" : `{\n${members.join("")}${indent}}`;
}
