// What counts of a file, and the functions in it.

/** The lines of a Rust file; undefined for those that are not counted. The layout of rustfmt tells where an item ends. */
export function countedRust(text) {
  const lines = text.trimEnd().split("\n");
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    const [, indent, , table] = line.match(/^(\s*)(#\[cfg\(test\)\]|(?:pub(?:\([a-z]+\))? )?(const|static) [A-Z_0-9]+\b.*[[({]$)/) ?? [];
    if (indent === undefined) continue;
    const end = lines.findIndex((later, index) => index > at && endsItem(later, indent, table));
    if (end > at) lines.fill(undefined, at, end + 1);
  }
  return lines;
}

/** Whether a line ends a table, or what stands under an attribute, that begins at this indentation. */
function endsItem(line, indent, table) {
  if (line === undefined || !line.startsWith(indent)) return false;
  const rest = line.slice(indent.length);
  return table ? /^[\])}]+\)*;$/.test(rest) : /^(}|[\])}]+;|(?:pub(\(\w+\))? )?(mod|use|const|static) .*;)$/.test(rest);
}

export function countedScript(text) {
  const lines = text.trimEnd().split("\n");
  for (let at = 0; at < lines.length; at++) {
    if (!/^(export )?const [A-Z_0-9]+ = .*[[({]$/.test(lines[at] ?? "")) continue;
    const end = lines.findIndex((line, index) => index > at && /^[\])}]+;$/.test(line));
    if (end > at) lines.fill(undefined, at, end + 1);
  }
  return lines;
}

/** The functions of a Rust file: from the line of `fn` to the brace at its indentation, without the tables in them. */
export function rustFunctions(lines) {
  return functionsOf(lines, /^(\s*)(?:pub(?:\([^)]*\))? )?(?:const |async |unsafe |extern "C" )*fn (\w+)/);
}

export function scriptFunctions(lines) {
  const named = functionsOf(lines, /^(\s*)(?:export )?(?:default )?(?:static )?(?:async )?(?:function\*? )?(#?\w+) ?\(.*\) \{$/).filter(({ name }) => !/^(if|for|while|switch|catch)$/.test(name));
  return [...named, ...functionsOf(lines, /^(\s*)(?:export )?(?:const|let) (\w+) = (?:async )?(?:\(.*\)|\w+) => \{$/)];
}

function functionsOf(lines, head) {
  return lines.flatMap((line, at) => {
    const [, indent, name] = line?.match(head) ?? [];
    if (name === undefined || /[;}]$/.test(line)) return [];
    const end = lines.findIndex((later, index) => index > at && later !== undefined && (later === `${indent}}` || later === `${indent}};`));
    return end < 0 ? [] : [{ name, length: lines.slice(at, end + 1).filter((inner) => inner !== undefined).length }];
  });
}
