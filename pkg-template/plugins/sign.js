// Entry of filepress/sign: signs addresses for filepress/serve, where pages are rendered.
export { signImage } from "./image-signature.js";
