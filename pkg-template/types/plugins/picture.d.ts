// filepress/picture: types of the imports that filepress/vite handles, for `types` in tsconfig.json. A pattern has one wildcard, so
// `picture` comes last in the query.

declare module "*?picture" {
  const picture: import("filepress/vite").Picture;
  export default picture;
}

declare module "*&picture" {
  const picture: import("filepress/vite").Picture;
  export default picture;
}
