import resolve from "@rollup/plugin-node-resolve";

export default {
  input: ["src/main.js", "src/plain.js"],
  output: { dir: "dist", format: "es" },
  plugins: [resolve({ browser: true })],
};
