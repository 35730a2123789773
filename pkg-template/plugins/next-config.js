// Entry of filepress/next/config: settings of Next.js for imported images, which become the files of a <picture> element, and for `filepress` in
// route handlers. For webpack and Turbopack.

const EXTENSIONS = ["avif", "gif", "jpeg", "jpg", "png", "webp"];
const IMAGE = new RegExp(`\\.(${EXTENSIONS.join("|")})$`, "i");

/** See types/plugins/next-config.d.ts. */
export function withFilepress(config = {}, options = {}) {
  const query = queryOf(["picture", ...Object.keys(options.presets ?? {})]);
  // Next serves only files that its own loader of images has seen.
  const use = { loader: "filepress/webpack", options: { ...options, next: true } };
  return {
    ...config,
    turbopack: { ...config.turbopack, rules: { ...config.turbopack?.rules, [`*.{${EXTENSIONS}}`]: { condition: { query }, loaders: [use], as: "*.js" } } },
    webpack: (given, context) => extend(config.webpack?.(given, context) ?? given, context, query, use),
  };
}

/** The queries of imports that name one of the presets. */
const queryOf = (names) => new RegExp(`[?&](${names.map((name) => name.replaceAll(/\W/g, "\\$&")).join("|")})(=|&|$)`);

function extend(config, { isServer, nextRuntime }, query, use) {
  const { rules } = config.module;
  const own = rules.flatMap((rule) => rule?.oneOf ?? rule).find((rule) => rule?.loader === "next-image-loader");
  if (own) own.resourceQuery = { ...own.resourceQuery, not: [own.resourceQuery?.not ?? [], query].flat() };
  rules.push({ test: IMAGE, resourceQuery: query, ...use });
  // Node has to read the package from its folder. With `serverExternalPackages`, the loader of `next/image` would be no part of the bundle either,
  // and Next could not call it.
  if (isServer && nextRuntime !== "edge") config.externals = [{ filepress: "module filepress" }, ...[config.externals].flat()];
  return config;
}
