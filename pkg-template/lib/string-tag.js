/** The string tag of a value of any realm: "Object", "Blob", "ArrayBuffer" … */
export const stringTag = (value) => Object.prototype.toString.call(value).slice(8, -1);
