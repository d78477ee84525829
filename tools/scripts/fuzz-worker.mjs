/** Looks at one property after another, each until its time is over or something is found. */
import { parentPort, workerData } from "node:worker_threads";
import fc from "fast-check";

/** How many cases go with one seed: few enough that a find comes soon when it is looked for again. */
const ROUND = 200;
/** Milliseconds that one case may take. */
const MOST_TIME = 10_000;
/** Milliseconds for a round, shrinking included. */
const ROUND_TIME = 60_000;
/** Milliseconds between two signs of life. */
const BEAT = 5000;

const { PROPERTIES, Door } = await import(workerData.bundle);

parentPort.on("message", async (task) => {
  const door = await Door.open();
  const result = await lookAt(task, door);
  await door.close();
  parentPort.postMessage({ ...result, isDone: true });
});

async function lookAt({ name, seed, share }, door) {
  const { arbitrary, check } = PROPERTIES.find((each) => each.name === name);
  const end = performance.now() + share;
  let cases = 0;
  let slowest = 0;
  let told = performance.now();
  const property = fc.asyncProperty(arbitrary, async (value) => {
    const began = performance.now();
    if (began - told > BEAT) {
      parentPort.postMessage({});
      told = began;
    }
    await check(value, door);
    const time = performance.now() - began;
    slowest = Math.max(slowest, time);
    if (time > MOST_TIME) throw new Error(`it took ${(time / 1000).toFixed(1)} s`);
  });
  for (let round = seed; ; round++) {
    parentPort.postMessage({ cases, slowest, seed: round });
    const result = await fc.check(property, {
      seed: round,
      numRuns: ROUND,
      interruptAfterTimeLimit: ROUND_TIME,
    });
    cases += result.numRuns;
    if (result.failed || performance.now() >= end) {
      const find = result.failed ? findOf(name, round, result) : undefined;
      return { cases, slowest, find };
    }
  }
}

function findOf(name, seed, { counterexample, errorInstance, numShrinks }) {
  return [
    `npm run fuzz -- --only ${name} --seed ${seed}`,
    `after ${numShrinks} steps of shrinking: ${fc.stringify(counterexample?.[0])}`,
    errorInstance?.stack ?? String(errorInstance),
  ].join("\n  ");
}
