// Completes errors about options by what was probably meant: names of other libraries, misspellings, values of another scale or type.
import { didYouMean } from "./did-you-mean.js";

/** Options that the planner never sees. */
const JS_OPTIONS = ["signal", "onProgress", "client", "as", "name", "settings", "keepRemote"];

/** Names that other libraries use, and what they are here. */
const ELSEWHERE = {
  ...Object.fromEntries(["width", "height", "maxWidth", "maxHeight", "fit", "position"].map((name) => [name, `resize.${name}`])),
  ...Object.fromEntries(["format", "fileType", "mimeType", "type", "output", "outputType"].map((name) => [name, "to"])),
  maxWidthOrHeight: "resize.maxWidth and resize.maxHeight",
  maxSizeMB: "targetSize, in bytes",
  maxSize: "targetSize, in bytes",
  initialQuality: "quality, from 1 to 100",
  alwaysKeepResolution: "targetSize with resize.width, the image's own width",
  preserveExif: 'metadata: "keep"',
  keepMetadata: 'metadata: "keep"',
  exif: "metadata",
  speed: "effort, from 0 to 9",
  useWebWorker: "init({ worker })",
  fileName: "name",
  onUploadProgress: "onProgress",
  abortSignal: "signal",
};

/** Rethrows an error of the planner, with the advice that `settings`, the options that it was given, allow. */
export function withAdvice(thrown, settings) {
  const option = thrown?.details?.option;
  if (thrown?.code === "unknown_option") thrown.message = forUnknown(thrown.message, option);
  else if (thrown?.code === "invalid_option") thrown.message += forValue(option, valueAt(settings, option));
  throw thrown;
}

function forUnknown(message, option) {
  const [, listed = ""] = /the options are ([^.]*)\.$/.exec(message) ?? [];
  const isTop = !option.includes(".");
  const names = [...listed.split(", "), ...(isTop ? JS_OPTIONS : [])];
  const folder = option.slice(0, option.lastIndexOf(".") + 1);
  const last = option.slice(folder.length);
  const meant = (isTop && Object.hasOwn(ELSEWHERE, last) && ELSEWHERE[last]) || withFolder(folder, didYouMean(last, names));
  const whole = message.replace(listed, names.join(", "));
  return meant ? `${whole} Did you mean ${meant}?` : whole;
}

const withFolder = (folder, name) => name && folder + name;

/** The values of `chroma` are strings of digits. */
function forValue(option, value) {
  if (typeof value === "string" && value !== "" && option !== "chroma" && Number.isFinite(+value)) return ` This is a string; write ${value} without quotes.`;
  if (option === "quality" && value > 0 && value < 1) return ` The scale ends at 100: ${value} is ${Math.round(100 * value)} here.`;
  if (option === "targetSize" && typeof value === "string") return " It is a number of bytes: 200 kB are 200_000.";
  if (option === "rotate" && value % 90 === 0) return ` ${value}° are ${((value % 360) + 360) % 360} here.`;
  return "";
}

function valueAt(settings, option) {
  return option?.split(".").reduce((value, name) => value?.[name], settings);
}
