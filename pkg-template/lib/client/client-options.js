// Validates the options of a Client, and the members of other objects that callers pass.
import { OptionsError } from "../errors.js";
import { checkNames, invalid, isPlainObject, members } from "../options.js";
import { isSecure } from "./secure-url.js";

const MEMBERS = ["baseUrl", "apiKey", "getToken", "dangerouslyAllowBrowser", "fetch", "timeout", "retry"];
const RETRY = { attempts: 5, minDelay: 500, maxDelay: 20_000, deadline: 120_000 };
const MAX_MS = 2 ** 31 - 1;

/** { host, engine }: options for the host functions, and options for the engine. */
export function readClientOptions(options, inBrowser) {
  const given = readMembers("options", options, MEMBERS);
  const { apiKey, getToken, fetch, timeout, retry, dangerouslyAllowBrowser: allows } = given;
  for (const name of ["getToken", "fetch"]) {
    if (!["undefined", "function"].includes(typeof given[name])) throw invalid(name, "must be a function");
  }
  if (apiKey !== undefined) checkKey(apiKey, getToken);
  const baseUrl = readAddress(given.baseUrl);
  if (![undefined, true, false].includes(allows)) throw invalid("dangerouslyAllowBrowser", "must be true or false");
  if (apiKey !== undefined && inBrowser() && !allows) {
    const advice = "Use getToken, or a proxy that adds the key; dangerouslyAllowBrowser: true is for tools on the owner's machine";
    throw new OptionsError("key_in_browser", `apiKey would be readable by everyone who opens this page. ${advice}.`, {
      details: { option: "apiKey" },
    });
  }
  return {
    host: { apiKey, getToken, fetch, baseUrl },
    engine: { baseUrl, timeout: readWhole("timeout", timeout, 60_000, 1, MAX_MS), ...readRetry(retry) },
  };
}

function checkKey(apiKey, getToken) {
  if (typeof apiKey !== "string" || !/^[!-~]+$/.test(apiKey)) throw invalid("apiKey", "must be printable ASCII without spaces");
  if (getToken !== undefined) throw invalid("getToken", "cannot be combined with apiKey");
}

function readAddress(given) {
  let url;
  try {
    url = new URL(String(given));
  } catch {
    throw invalid("baseUrl", "must be an absolute URL");
  }
  if (!isSecure(url)) throw invalid("baseUrl", "must start with https: (http: only for loopback)");
  if (url.username || url.password) throw invalid("baseUrl", "must not contain a user name or password");
  if (/\/v1\/*$/.test(url.pathname)) throw invalid("baseUrl", "must not end with /v1");
  return url.origin + url.pathname;
}

function readRetry(retry = {}) {
  if (retry === false) return { ...RETRY, attempts: 0 };
  const given = readMembers("retry", retry, Object.keys(RETRY));
  const read = (name, most) => readWhole(`retry.${name}`, given[name], RETRY[name], 0, most);
  const times = { minDelay: read("minDelay", MAX_MS), maxDelay: read("maxDelay", MAX_MS), deadline: read("deadline", MAX_MS) };
  return { attempts: read("attempts", 100), ...times };
}

/** A copy of a plain object by JSON; undefined if it is absent. */
export function readJson(name, value) {
  if (value === undefined) return undefined;
  try {
    const copy = JSON.parse(JSON.stringify(value));
    if (isPlainObject(value) && isPlainObject(copy)) return copy;
  } catch {}
  throw invalid(name, "must be a plain object that JSON can hold");
}

/** A copy of a plain object with only the allowed members. Getters and proxies may throw anything. */
export function readMembers(name, value, allowed) {
  let given;
  try {
    given = isPlainObject(value) && members(value);
  } catch {}
  if (!given) throw invalid(name, "must be a plain object");
  checkNames(given.map(([member]) => member), allowed, name === "options" ? "" : `${name}.`);
  return Object.fromEntries(given);
}

/** An integer in a range; `fallback` if it is absent. */
export function readWhole(name, value, fallback, least, most) {
  if (value === undefined) return fallback;
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw invalid(name, `must be a whole number from ${least} to ${most}`);
}

/** A non-empty string; undefined if it is absent. */
export function readText(name, value) {
  if (value === undefined || (typeof value === "string" && value !== "")) return value;
  throw invalid(name, "must be a string that is not empty");
}
