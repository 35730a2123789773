// filepress/picture: types of the imports that filepress/vite and filepress/webpack handle, for `types` in tsconfig.json. The name in `declare module` can
// have only one `*`, so `picture` has to be the last parameter of the query.

declare module "*?picture" {
  const picture: import("./picture-preset.js").Picture;
  export default picture;
}

declare module "*&picture" {
  const picture: import("./picture-preset.js").Picture;
  export default picture;
}
