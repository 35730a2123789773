import { compress } from "filepress";
import { json } from "@sveltejs/kit";
import { outcomeOf } from "../../lib/outcome.mjs";

export async function POST({ request }) {
  const options = JSON.parse(request.headers.get("x-options"));
  return json(await outcomeOf(await compress(await request.arrayBuffer(), options)));
}
