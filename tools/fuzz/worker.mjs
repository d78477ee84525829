/** Checks one property after another, each until its time is over or a case fails. */
import { parentPort, workerData } from "node:worker_threads";
import fc from "fast-check";

/** Cases per seed: few enough that a failure is reproduced quickly. */
const ROUND = 200;
/** The most milliseconds for one case. */
const CASE_TIME = 10_000;
/** The milliseconds for a round, including shrinking. */
const ROUND_TIME = 60_000;
/** Milliseconds between two heartbeats. */
const HEARTBEAT = 5000;

const { PROPERTIES, Runner } = await import(workerData.bundle);

parentPort.on("message", async (task) => {
  const runner = await Runner.create();
  const result = await checkProperty(task, runner);
  await runner.close();
  parentPort.postMessage({ ...result, isDone: true });
});

async function checkProperty({ name, seed, share }, runner) {
  const { arbitrary, check } = PROPERTIES.find((each) => each.name === name);
  const end = performance.now() + share;
  let cases = 0;
  let slowest = 0;
  let lastHeartbeat = performance.now();
  const property = fc.asyncProperty(arbitrary, async (value) => {
    const began = performance.now();
    if (began - lastHeartbeat > HEARTBEAT) {
      parentPort.postMessage({});
      lastHeartbeat = began;
    }
    await check(value, runner);
    const time = performance.now() - began;
    slowest = Math.max(slowest, time);
    if (time > CASE_TIME) throw new Error(`a case took ${(time / 1000).toFixed(1)} s`);
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
      const failure = result.failed ? describeFailure(name, round, result) : undefined;
      return { cases, slowest, failure };
    }
  }
}

function describeFailure(name, seed, { counterexample, errorInstance, numShrinks }) {
  return [
    `npm run fuzz -- --only ${name} --seed ${seed}`,
    `after ${numShrinks} steps of shrinking: ${fc.stringify(counterexample?.[0])}`,
    errorInstance?.stack ?? String(errorInstance),
  ].join("\n  ");
}
