// Entry of filepress/sign: signs URLs for filepress/serve, where pages are rendered.
export { signImage } from "./image-signature.js";
