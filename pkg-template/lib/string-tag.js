/** What a value is, of whatever realm: "Object", "Blob", "ArrayBuffer" … */
export const stringTag = (value) => Object.prototype.toString.call(value).slice(8, -1);
