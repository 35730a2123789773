"use client";

import { useEffect } from "react";
import { compressFile } from "../lib/compress-file.js";

export default function Page() {
  useEffect(() => {
    window.compressFile = compressFile;
  }, []);
  return <input type="file" />;
}
