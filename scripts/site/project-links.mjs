// Adds to the demo page what project.json knows: the source code's address, and what a shared link shows.

/** The page's HTML, with its texts, and with links to the project; unchanged while project.json is empty. */
export function withProjectLinks(html, { repository, homepage }) {
  const head = homepage ? preview(html, homepage) : "";
  const linked = repository ? html.replace('<a id="source" hidden', `<a id="source" href="${repository}"`) : html;
  return linked.replace("</title>", `</title>${head}`);
}

/** What other sites show of a link to the page, by the Open Graph protocol. Its addresses are absolute. */
function preview(html, homepage) {
  const [, title] = /<title[^>]*>([^<]*)</.exec(html);
  const [, description] = /<meta name="description"[^>]* content="([^"]*)"/.exec(html);
  const properties = { type: "website", url: `${homepage}/`, title, description, image: `${homepage}/icons/512.png` };
  const tags = Object.entries(properties).map(([name, content]) => `<meta property="og:${name}" content="${content}">`);
  return ["", `<link rel="canonical" href="${homepage}/">`, ...tags].join("\n    ");
}
