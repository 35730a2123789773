"use client";

import { useEffect } from "react";
import { press } from "../lib/press.js";

export default function Page() {
  useEffect(() => {
    window.press = press;
  }, []);
  return <input type="file" />;
}
