import { press } from "./press.js";

window.press = press;
