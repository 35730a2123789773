// Receives files: dropped anywhere on the page, chosen, or pasted.

/**
 * @param {(files: File[]) => void} take receives the files.
 * @param {(words: string) => void} say shows a message; "" clears it.
 */
export function watchFiles(take, say) {
  const receive = (files) => {
    if (files.length === 0) return say("That is not a file. Drop, choose or paste a file.");
    say("");
    take(files);
  };
  watchDrops(receive);

  const input = document.getElementById("file");
  input.addEventListener("change", () => {
    if (input.files.length === 0) return;
    receive([...input.files]);
    // Allows the same file to be chosen again.
    input.value = "";
  });

  document.addEventListener("paste", (event) => {
    const files = [...event.clipboardData.files];
    if (files.length > 0) receive(files);
  });
}

function watchDrops(receive) {
  const { body } = document;
  document.addEventListener("dragover", (event) => {
    event.preventDefault();
    body.dataset.drag = "";
  });
  document.addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) delete body.dataset.drag;
  });
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    delete body.dataset.drag;
    receive([...event.dataTransfer.files]);
  });
}
