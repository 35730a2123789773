// Decides which entries of a folder are left out: node_modules, and what .gitignore files exclude (gitignore(5)).
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";

const ALWAYS_IGNORED = new Set(["node_modules"]);

/** The rules of the .gitignore files above `folder`, up to the root of its repository; none outside of a repository. */
export function rulesAbove(folder) {
  const above = [];
  for (let parent = resolve(folder); ; parent = dirname(parent)) {
    if (parent !== resolve(folder)) above.unshift(parent);
    if (existsSync(join(parent, ".git"))) return above.reduce((rules, each) => withRulesOf(each, rules), []);
    if (dirname(parent) === parent) return [];
  }
}

/** `rules`, followed by those of the folder's own .gitignore. Later rules take precedence. */
export function withRulesOf(folder, rules) {
  let text;
  try {
    text = readFileSync(join(folder, ".gitignore"), "utf8");
  } catch {
    return rules;
  }
  const own = text.split(/\r?\n/).map((line) => readRule(line, resolve(folder))).filter(Boolean);
  return [...rules, ...own];
}

/** Whether an entry of a folder is left out. */
export function isIgnored({ path, name, isFolder }, rules) {
  if (isFolder && ALWAYS_IGNORED.has(name)) return true;
  const last = rules.findLast((rule) => (isFolder || !rule.foldersOnly) && matches(rule, path));
  return last !== undefined && !last.negated;
}

/** A line of a .gitignore as { base, segments, negated, foldersOnly }; undefined for blank lines and comments. */
function readRule(line, base) {
  let pattern = line.replace(/(?<!\\) +$/, "");
  if (pattern === "" || pattern.startsWith("#")) return undefined;
  const negated = pattern.startsWith("!");
  if (negated) pattern = pattern.slice(1);
  const foldersOnly = pattern.endsWith("/");
  if (foldersOnly) pattern = pattern.slice(0, -1);
  const anchored = pattern.includes("/");
  const segments = pattern.replace(/^\//, "").split("/");
  return { base, segments: (anchored ? segments : ["**", ...segments]).map(readSegment), negated, foldersOnly };
}

const ANY_FOLDERS = Symbol("**");
const ANY_TEXT = Symbol("*");

/** One path segment of a pattern as ANY_FOLDERS, or as tokens: ANY_TEXT, or a test of one character. */
function readSegment(segment) {
  if (segment === "**") return ANY_FOLDERS;
  const tokens = segment.match(/\\[\s\S]|\[(?:!|\^)?\]?[^\]]*\]|\*+|[\s\S]/gu) ?? [];
  return tokens.map((token) => {
    if (token.startsWith("*")) return ANY_TEXT;
    if (token === "?") return () => true;
    if (token.length > 1 && token.startsWith("[")) return characterClass(token.slice(1, -1));
    const literal = token.startsWith("\\") && token.length > 1 ? token.slice(1) : token;
    return (character) => character === literal;
  });
}

function characterClass(text) {
  const negated = /^[!^]/.test(text);
  const ranges = (negated ? text.slice(1) : text).match(/[\s\S]-[\s\S]|[\s\S]/gu) ?? [];
  return (character) => ranges.some((range) => character >= range[0] && character <= range.at(-1)) !== negated;
}

function matches({ base, segments }, path) {
  const inside = relative(base, resolve(path));
  return matchesPath(segments, inside.split(sep));
}

/** Goes back to the last ** only, as matchesName does to the last *. */
function matchesPath(segments, names) {
  let [segment, name] = [0, 0];
  let [star, resumed] = [-1, 0];
  while (segment < segments.length || name < names.length) {
    if (segments[segment] === ANY_FOLDERS) {
      // At the end it stands for everything inside.
      if (segment === segments.length - 1) return name < names.length;
      [star, resumed] = [segment, name];
      segment += 1;
    } else if (segment < segments.length && name < names.length && matchesName(segments[segment], [...names[name]])) {
      segment += 1;
      name += 1;
    } else if (star >= 0 && resumed < names.length) {
      resumed += 1;
      [segment, name] = [star + 1, resumed];
    } else {
      return false;
    }
  }
  return true;
}

/** Goes back to the last * only, so the time is at most the product of both lengths. */
function matchesName(tokens, characters) {
  let [token, character] = [0, 0];
  let [star, resumed] = [-1, 0];
  while (character < characters.length) {
    if (tokens[token] === ANY_TEXT) {
      [star, resumed] = [token, character];
      token += 1;
    } else if (token < tokens.length && tokens[token](characters[character])) {
      token += 1;
      character += 1;
    } else if (star >= 0) {
      resumed += 1;
      [token, character] = [star + 1, resumed];
    } else {
      return false;
    }
  }
  return tokens.slice(token).every((rest) => rest === ANY_TEXT);
}
