// A page in StrictMode with the component of docs/plugins.md, and one that hands the hook to the test as `hook`. `mount` and
// `unmount` change what is there.
import { StrictMode, useEffect } from "react";
import { createRoot } from "react-dom/client";
import { useCompress } from "filepress/react";
import PhotoForm from "./PhotoForm.jsx";

function Probe({ options }) {
  const compression = useCompress(options);
  window.renders = (window.renders ?? 0) + 1;
  useEffect(() => {
    window.hook = compression;
  });
  return null;
}

let root;

window.mount = (options) => {
  root ??= createRoot(document.querySelector("main"));
  root.render(<StrictMode>{options ? <Probe options={options} /> : <PhotoForm />}</StrictMode>);
};

window.unmount = () => {
  root.unmount();
  root = undefined;
};
