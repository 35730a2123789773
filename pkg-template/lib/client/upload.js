// Uploads that tell how they proceed, which fetch cannot.

/** Sends `body` as `request` says, and resolves to the answer. Where nobody listens, or nothing can be told, by fetch. */
export function upload(request, { body, onProgress }) {
  if (!onProgress || typeof XMLHttpRequest !== "function") return fetch(request);
  const { method, url, signal } = request;
  return new Promise((resolve, reject) => {
    const xhr = new XMLHttpRequest();
    xhr.open(method, url);
    xhr.responseType = "arraybuffer";
    xhr.upload.onprogress = ({ loaded }) => onProgress(loaded);
    xhr.onload = () => resolve(answerOf(xhr));
    xhr.onerror = () => reject(new TypeError("the upload broke off"));
    xhr.onabort = () => reject(signal.reason);
    signal.addEventListener("abort", () => xhr.abort());
    xhr.send(body);
  });
}

/** What is read of a Response, which itself takes neither every status (999) nor every body with one (204). */
function answerOf(xhr) {
  const headers = { get: (name) => xhr.getResponseHeader(name) };
  return { status: xhr.status, headers, text: async () => new TextDecoder().decode(xhr.response) };
}
