// A page in StrictMode with the component of docs/plugins.md, and one that hands the hook to the test as `hook`, its options as `shown`,
// and the progress of each render in `progress`. `mount` and `unmount` change what is there.
import { StrictMode, useEffect } from "react";
import { createRoot } from "react-dom/client";
import { useCompress } from "filepress/react";
import PhotoForm from "./PhotoForm.jsx";

function Probe({ options }) {
  const compression = useCompress(options);
  useEffect(() => {
    Object.assign(window, { hook: compression, shown: options });
    progress.push(compression.progress);
  });
  return null;
}

window.progress = [];
let root;

window.mount = (options) => {
  root ??= createRoot(document.querySelector("main"));
  root.render(<StrictMode>{options ? <Probe options={options} /> : <PhotoForm />}</StrictMode>);
};

window.unmount = () => {
  root.unmount();
  root = undefined;
};
