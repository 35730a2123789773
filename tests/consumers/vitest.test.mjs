// Vitest with happy-dom: the entry for Node works in it.
import { test } from "node:test";
import { photo } from "./support/check.mjs";
import { openProject } from "./support/project.mjs";

const project = openProject("vitest");
project.write("src/photo.jpg", photo);

test("a test that compresses a photo", () => project.run("test"));
