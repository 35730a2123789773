// The Worker's two halves: /v1/ hands calls on to the server, /images/ sends images in the type that the browser prefers.
import { handOn } from "./service.js";
import { sendImage } from "./images.js";

export default {
  async fetch(request, env, context) {
    const { pathname } = new URL(request.url);
    if (pathname.startsWith("/v1/")) return handOn(request, env);
    if (pathname.startsWith("/images/")) return sendImage(request, env, context);
    return new Response("Not found\n", { status: 404 });
  },
};
