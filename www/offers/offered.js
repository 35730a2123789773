// Whether the cards offer other formats. Without offers they need no room for them.
import { readSettings } from "../settings.js";

/** Whether the settings leave the quality of images to their formats. Other encoders may be downloads of their own, which cost data. */
export function areFormatsOffered() {
  const { aim, lossless } = readSettings().image;
  return !navigator.connection?.saveData && !lossless && aim !== "auto" && aim !== "size";
}
