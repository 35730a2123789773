// Conversions whose settings reach limits of their codec or file, through the running service.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { startService } from "../../scripts/service.mjs";
import { until } from "../package/support/until.mjs";

const service = await startService();
const folder = mkdtempSync(join(tmpdir(), "filepress-"));
after(async () => {
  rmSync(folder, { recursive: true });
  await service.stop();
});

function ffmpeg(...args) {
  const path = join(folder, "made");
  execFileSync("ffmpeg", ["-v", "error", "-y", ...args, path]);
  return readFileSync(path);
}

const sound = (rate, channels) =>
  ffmpeg("-f", "lavfi", "-i", `anoisesrc=duration=1:sample_rate=${rate}`, "-ac", `${channels}`, "-f", "wav");

async function convert(bytes, from, to, settings) {
  const { client } = service;
  const input = await client.upload(bytes, from);
  const { id } = await client.createTask(input, { format: { input: from, output: to }, settings });
  const document = await client.wait(id);
  const { status, processing_metadata: facts } = document.data.attributes;
  return { status, facts, bytes: status === "COMPLETED" ? await client.download(document) : undefined };
}

test("Vorbis is made of any rate and of any bit rate that is asked for", async () => {
  for (const [rate, channels] of [[8000, 1], [8000, 2], [11025, 2], [16000, 1], [22050, 2], [32000, 1], [44100, 2], [96000, 1], [96000, 2]]) {
    const { status, facts } = await convert(sound(rate, channels), "audio/wav", "audio/ogg");
    assert.deepEqual([status, facts.output?.codec], ["COMPLETED", "vorbis"], `${rate} Hz, ${channels}`);
  }
  const input = sound(44100, 2);
  for (const settings of [{ sample_rate: 8000 }, { bitrate: 500_000, channels: 1 }, { bitrate: 400_000, sample_rate: 22050 }]) {
    assert.equal((await convert(input, "audio/wav", "audio/ogg", settings)).status, "COMPLETED", JSON.stringify(settings));
  }
  const { facts } = await convert(input, "audio/wav", "audio/ogg", { target_size: 2500 });
  assert.equal(facts.error?.code, "target_unreachable");
});

test("a size that is met already leaves other settings in force, and metadata out", async () => {
  const song = ffmpeg("-f", "lavfi", "-i", "anoisesrc=duration=2", "-b:a", "320k", "-metadata", "title=SECRETTITLE", "-f", "mp3");
  const slow = await convert(song, "audio/mpeg", "audio/mpeg", { bitrate: 64_000, target_size: 10_000_000 });
  assert.ok(slow.bytes.length < song.length / 3, `${slow.bytes.length} of ${song.length}`);
  const same = await convert(song, "audio/mpeg", "audio/mpeg", { target_size: 10_000_000 });
  assert.ok(same.bytes.length > song.length * 0.9, "it was coded again");
  assert.ok(!same.bytes.includes("SECRETTITLE"));
});

test("a part of a film without a picture is no film", async () => {
  const pattern = ["-f", "lavfi", "-i", "testsrc2=duration=1:rate=10:size=160x120", "-f", "lavfi", "-i", "sine=duration=1"];
  const film = ffmpeg(...pattern, "-c:a", "aac", "-f", "mp4");
  for (const settings of [{ trim: { start: 0.95 } }, { trim: { start: 0.95 }, mute: true }]) {
    const { facts } = await convert(film, "video/mp4", "video/mp4", settings);
    assert.equal(facts.error?.code, "trim_out_of_range", JSON.stringify(facts));
  }
});

test("a key or a signature in a path does not get into the log", async () => {
  await fetch(`${service.url}/v1/users/me/${service.key}`);
  await fetch(`${service.url}/v1/files/a%3Fsignature=abc`, { headers: { "x-request-id": service.key } });
  // The log is a pipe of its own: what is in it may be seen after the answer.
  await until(() => service.log().match(/not shown/g)?.length === 2);
  assert.ok(!service.log().includes(service.key) && !service.log().includes("signature="));
});
