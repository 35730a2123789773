import { compress } from "filepress";
import { outcomeOf } from "../../lib/outcome.mjs";

export async function POST(request) {
  const options = JSON.parse(request.headers.get("x-options"));
  return Response.json(await outcomeOf(await compress(await request.blob(), options)));
}
