// The results to make of each input: one for each requested format and width.

/** `outputs`: { to, widths } of the command line; `to` the format that --out implies. Returns [{ to, width }]. */
export function variantsOf(outputs, to) {
  const formats = outputs.to.length > 0 ? outputs.to : [to];
  const widths = outputs.widths.length > 0 ? outputs.widths : [undefined];
  return formats.flatMap((format) => widths.map((width) => ({ to: format, width })));
}

/** The options of one result. A picture that is narrower than the width keeps its size. */
export function variantOptions(options, { to, width }) {
  return { ...options, to, resize: width === undefined ? options.resize : { ...options.resize, maxWidth: width } };
}
