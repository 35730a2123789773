// Writes the settings as the call that a program would make.

/**
 * @param settings as `readSettings` gives them.
 * @param {string} [name] the picture's file name.
 */
export function showCode({ to, options }, name) {
  const verb = to ? "convert" : "compress";
  const given = ["file", to && JSON.stringify(to), literal(options)].filter(Boolean).join(", ");
  const lines = [
    `import { ${verb} } from "filepress";`,
    "",
    ...(name ? [`// file is ${name}`] : []),
    "const { blob } =",
    `  await ${verb}(${given});`,
  ];
  document.getElementById("code").textContent = lines.join("\n");
}

/** A value as JavaScript, a member a line; "" for an object without members. */
function literal(value, indent = "  ") {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value !== "object") return String(value);
  const members = Object.entries(value).map(([key, member]) => `${indent}  ${key}: ${literal(member, `${indent}  `)},\n`);
  return members.length === 0 ? "" : `{\n${members.join("")}${indent}}`;
}
