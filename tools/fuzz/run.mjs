/**
 * Checks the properties in this folder with random cases: `npm run fuzz`,
 * `npm run fuzz -- --minutes 10 --seed 1 --only yaml`.
 *
 * Each property gets an equal share of the time, on all cores. A failure is reduced to its smallest case
 * and printed with the seed that reproduces it; the exit code is then 1.
 */
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import { withProperties } from "./bundle.mjs";

/** After so many milliseconds without a message from a worker, its case counts as hanging. */
const PATIENCE = 60_000;
/** The memory limit of a worker in megabytes. */
const MEMORY = 1500;

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "1" },
    seed: { type: "string", default: String(Date.now() % 1_000_000_000) },
    only: { type: "string", multiple: true, default: [] },
  },
});
process.exitCode = await withProperties((bundle) => main(bundle, values));

async function main(bundle, { minutes, seed, only }) {
  const { PROPERTIES } = await import(bundle);
  const names = PROPERTIES.map(({ name }) => name);
  const isKnown = only.every((name) => names.includes(name));
  if (!isKnown || !(Number(minutes) > 0) || !Number.isSafeInteger(Number(seed))) {
    say("usage: npm run fuzz -- [--minutes <n>] [--seed <n>] [--only <name>]…");
    say(`names: ${names.join(", ")}`);
    return 2;
  }
  const waiting = names.filter((name) => only.length === 0 || only.includes(name));
  const cores = Math.min(availableParallelism(), waiting.length);
  const share = (Number(minutes) * 60_000 * cores) / waiting.length;
  const each = `${(share / 1000).toFixed(1)} s each`;
  say(`${waiting.length} properties, ${each}, on ${cores} cores, seed ${seed}`);
  const results = [];
  const runAll = async () => {
    let worker;
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      worker ??= newWorker(bundle);
      const result = await checkProperty(worker, { name, seed: Number(seed), share });
      if (result.isLost) worker = undefined;
      results.push(result);
      say(lineOf(result));
    }
    await worker?.terminate();
  };
  await Promise.all(Array.from({ length: cores }, runAll));
  const failures = results.filter(({ failure }) => failure !== undefined).length;
  const cases = results.reduce((sum, result) => sum + result.cases, 0);
  say(
    `${cases.toLocaleString("en")} cases, ${failures} ${failures === 1 ? "failure" : "failures"}`,
  );
  return failures === 0 ? 0 : 1;
}

function newWorker(bundle) {
  return new Worker(fileURLToPath(new URL("worker.mjs", import.meta.url)), {
    workerData: { bundle },
    resourceLimits: { maxOldGenerationSizeMb: MEMORY },
  });
}

/** Checks one property in a worker. A worker that crashes or hangs is also a failure. */
async function checkProperty(worker, task) {
  const began = Date.now();
  const latest = { name: task.name, seed: task.seed, cases: 0, slowest: 0 };
  const end = await new Promise((resolve) => {
    let lastMessage = Date.now();
    const fail = (reason) => () => {
      clearInterval(watch);
      void worker.terminate();
      const command = `npm run fuzz -- --only ${task.name} --seed ${latest.seed}`;
      resolve({ isLost: true, failure: `${command}\n  ${reason}` });
    };
    const reportHang = fail("a case takes longer than a minute");
    const watch = setInterval(() => Date.now() - lastMessage > PATIENCE && reportHang(), 1000);
    const reportCrash = (error) => fail(error.stack ?? String(error))();
    worker.once("error", reportCrash);
    worker.on("message", function listen(message) {
      lastMessage = Date.now();
      Object.assign(latest, message);
      if (!message.isDone) return;
      clearInterval(watch);
      worker.off("message", listen);
      worker.off("error", reportCrash);
      resolve({});
    });
    worker.postMessage(task);
  });
  return { ...latest, ...end, time: Date.now() - began };
}

function lineOf({ name, cases, time, slowest, failure }) {
  const columns = [
    name.padEnd(14),
    `${cases.toLocaleString("en").padStart(10)} cases`,
    `${(time / 1000).toFixed(1).padStart(7)} s`,
    `  slowest ${slowest.toFixed(0)} ms`,
  ];
  const found = failure === undefined ? "" : `\nFAILED: ${name}: ${failure}\n`;
  return columns.join(" ") + found;
}

function say(text) {
  process.stdout.write(`${text}\n`);
}
