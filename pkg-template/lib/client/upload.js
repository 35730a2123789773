// Uploads that tell how they proceed, which fetch cannot.

/** Sends `body` as `request` says, and resolves to a Response. Where nobody listens, or nothing can be told, by fetch. */
export function upload(request, { body, onProgress }) {
  if (!onProgress || typeof XMLHttpRequest !== "function") return fetch(request);
  const { method, url, signal } = request;
  return new Promise((resolve, reject) => {
    const xhr = new XMLHttpRequest();
    xhr.open(method, url);
    xhr.responseType = "arraybuffer";
    xhr.upload.onprogress = ({ loaded }) => onProgress(loaded);
    xhr.onload = () => resolve(toResponse(xhr));
    xhr.onerror = () => reject(new TypeError("the upload broke off"));
    xhr.onabort = () => reject(signal.reason);
    signal.addEventListener("abort", () => xhr.abort());
    xhr.send(body);
  });
}

function toResponse(xhr) {
  const lines = xhr.getAllResponseHeaders().split("\r\n").filter(Boolean);
  const headers = lines.map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trim()]);
  // These may not have a body, not even an empty one.
  const body = [204, 205, 304].includes(xhr.status) ? null : xhr.response;
  return new Response(body, { status: xhr.status, headers });
}
