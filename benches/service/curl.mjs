// Uploads into an object store by curl, beside which those through the server are measured. Both resolve to the milliseconds they took.
import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { timed } from "../timing.mjs";

const run = promisify(execFile);

/** Uploads a file with one request. S3 takes 5 GB at most so. */
export async function put({ bucket, credentials }, path) {
  return timed(() => curl(credentials, "--upload-file", path, `${bucket}/by-curl`));
}

/** Uploads a file in parts of the same size as the server's, two at a time. It is divided before. */
export async function putParts({ bucket, credentials }, path) {
  const object = `${bucket}/by-curl-in-parts`;
  const folder = await mkdtemp(join(tmpdir(), "filepress-parts-"));
  try {
    await run("split", ["--bytes", "8M", "--suffix-length", "4", "--numeric-suffixes=1", path, join(folder, "part")]);
    const parts = (await readdir(folder)).toSorted().map((name) => join(folder, name));
    return await timed(async () => {
      const [, id] = /<UploadId>([^<]+)</.exec(await curl(credentials, "--request", "POST", `${object}?uploads=`));
      const list = parts.map((part, index) => `upload-file = "${part}"\nurl = "${object}?partNumber=${index + 1}&uploadId=${id}"\n`);
      await writeFile(join(folder, "list"), list.join(""));
      const shown = ["--write-out", "%{urlnum} %header{etag}\n"];
      const sent = await curl(credentials, "--parallel", "--parallel-max", "2", ...shown, "--config", join(folder, "list"));
      const tags = new Map(sent.trim().split("\n").map((line) => line.split(" ")));
      const rows = parts.map((_, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${tags.get(`${index}`)}</ETag></Part>`);
      const all = `<CompleteMultipartUpload>${rows.join("")}</CompleteMultipartUpload>`;
      await curl(credentials, "--request", "POST", "--data", all, `${object}?uploadId=${id}`);
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function curl(credentials, ...args) {
  const flags = ["--fail", "--silent", "--show-error", "--header", "x-amz-content-sha256: UNSIGNED-PAYLOAD"];
  return (await run("curl", [...flags, ...credentials, ...args])).stdout;
}
