import { compress } from "filepress";
import { outcomeOf } from "~~/shared/outcome.mjs";

export default defineEventHandler(async (event) => {
  const options = JSON.parse(getHeader(event, "x-options"));
  return outcomeOf(await compress(await readRawBody(event, false), options));
});
