// Uploads with progress, which fetch does not report.

/** Sends `body` and resolves to the response. Uses fetch if there is no listener or no XMLHttpRequest. */
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

/** An object like a Response. The constructor refuses some statuses (999), and bodies for some statuses (204). */
function toResponse(xhr) {
  const headers = { get: (name) => xhr.getResponseHeader(name) };
  return { status: xhr.status, headers, text: async () => new TextDecoder().decode(xhr.response) };
}
