import { init } from "filepress";
import { press } from "./press.js";

init({ workers: "filepress/" });
window.press = press;
