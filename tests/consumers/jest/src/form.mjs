import { compress, FilepressError } from "filepress";

/** What a component does with a chosen file. */
export async function upload(file) {
  try {
    return (await compress(file)).name;
  } catch (error) {
    if (error instanceof FilepressError) return error.code;
    throw error;
  }
}
