// Work on many files leaves room for the visitor: timers and clicks come in between.
import { strict as assert } from "node:assert";
import { test } from "node:test";
import { forEachInSlices, SLICE, soon } from "../../www/slices.js";

/** Takes longer than a slice. */
function spin() {
  const end = performance.now() + SLICE + 2;
  while (performance.now() < end);
}

test("every item has its turn, in order, and a timer does not wait for the last one", async () => {
  const done = [];
  setTimeout(() => done.push("timer"));
  await forEachInSlices([1, 2, 3, 4], async (item) => {
    spin();
    done.push(item);
  });
  assert.deepEqual(done.filter((entry) => entry !== "timer"), [1, 2, 3, 4]);
  assert.ok(done.indexOf("timer") < done.indexOf(4), done.join());
});

test("what fails ends the rest, and is told", async () => {
  const done = [];
  const work = (item) => {
    if (item === 2) throw new Error("the second");
    done.push(item);
  };
  await assert.rejects(forEachInSlices([1, 2, 3], work), /the second/);
  assert.deepEqual(done, [1]);
});

test("work that waits already is done once", async () => {
  let count = 0;
  const work = () => count++;
  for (let call = 0; call < 3; call++) soon(work);
  await new Promise((resolve) => soon(resolve));
  assert.equal(count, 1);
});
