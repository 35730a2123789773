// The three ways in: dropped anywhere on the page, picked, pasted.

/**
 * @param {(files: File[]) => void} take gets what came.
 * @param {(words: string) => void} say gets what to tell the visitor: "" when there is nothing to say.
 */
export function watchFiles(take, say) {
  const receive = (files) => {
    if (files.length === 0) return say("That was not a file. Drop, choose or paste one.");
    say("");
    take(files);
  };
  watchDrops(receive);

  const input = document.getElementById("file");
  input.addEventListener("change", () => {
    if (input.files.length === 0) return;
    receive([...input.files]);
    // The same file can be picked again.
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
