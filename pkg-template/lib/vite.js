// Finds the package's files behind Vite's development server.

/**
 * Vite bundles dependencies before it serves them, and up to version 7 leaves their other files behind: a script is at
 * `/node_modules/.vite/deps/filepress.js`, and a file beside it is not found. The package's folder is served as well; this is its URL,
 * or undefined for a script at any other address.
 */
export function folderBehind(script) {
  const [, root] = /^(https?:[^?#]*\/node_modules\/)\.[^?#]*\/deps\//.exec(script) ?? [];
  return root && new URL("filepress/", root);
}
