// What an Accept header comes to: one of three words, so that the cache holds at most three answers for an image.

/** The best of "avif" and "webp" that the browser names, of those that are offered; else undefined. A wildcard names neither. */
export function preferred(accept, offered) {
  const weights = new Map((accept ?? "").toLowerCase().split(",").map(weigh));
  const named = offered.filter((name) => weights.get(`image/${name}`) > 0);
  // Stable: of equal weights, the first that is offered.
  return named.sort((one, other) => weights.get(`image/${other}`) - weights.get(`image/${one}`))[0];
}

function weigh(range) {
  const [type, ...parameters] = range.split(";").map((part) => part.trim());
  const quality = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2) ?? "1";
  return [type, Number(quality) || 0];
}
