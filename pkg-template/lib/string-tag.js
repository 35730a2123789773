/** What a value is, of whatever realm: "Object", "Blob", "ArrayBuffer" … */
export const tagOf = (value) => Object.prototype.toString.call(value).slice(8, -1);
