// Entry of filepress/next/loader: turns what `next/image` asks for into URLs of the route of filepress/next. It runs in browsers too.

/** Where the route is, unless `createLoader` names another place. */
const PREFIX = "/img/";

/** See types/plugins/next-loader.d.ts. */
export const createLoader = ({ prefix = PREFIX } = {}) => ({ src, width, quality }) => {
  // An image of another site, or one that is part of the page.
  if (!src.startsWith("/") || src.startsWith("//")) return src;
  const [path] = src.slice(1).split(/[?#]/);
  return `${prefix.replace(/\/?$/, "/")}${width}/auto/${encode(path)}${quality ? `?quality=${quality}` : ""}`;
};

/** White space and commas would end a URL in `srcset`. What is encoded already stays so. */
const encode = (path) => path.replaceAll(/[^\w./~%!$&'()*+;=:@-]+/gu, encodeURIComponent);

export default createLoader();
