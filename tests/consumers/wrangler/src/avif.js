import { compress } from "filepress/avif";
import { outcomeOf } from "./outcome.mjs";

export default {
  async fetch(request) {
    const options = JSON.parse(request.headers.get("x-options"));
    return Response.json(await outcomeOf(await compress(await request.blob(), options)));
  },
};
