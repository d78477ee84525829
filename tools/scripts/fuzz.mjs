/**
 * Looks for what breaks the program: `npm run fuzz`, `npm run fuzz -- --minutes 10 --seed 1 --only yaml`.
 *
 * Every property of fuzz/ has its share of the time, on all cores. What is found is printed with its
 * seed, by which it is found again, and shrunk to the smallest case; the exit code is then 1.
 */
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import { withProperties } from "./fuzz-bundle.mjs";

/** Milliseconds without a word of a worker, after which its case is taken to hang. */
const PATIENCE = 60_000;
/** Megabytes of one worker, which no case may need. */
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
    say(`the names: ${names.join(", ")}`);
    return 2;
  }
  const waiting = names.filter((name) => only.length === 0 || only.includes(name));
  const cores = Math.min(availableParallelism(), waiting.length);
  const share = (Number(minutes) * 60_000 * cores) / waiting.length;
  const each = `${(share / 1000).toFixed(1)} s each`;
  say(`${waiting.length} properties, ${each}, on ${cores} cores, seed ${seed}`);
  const results = [];
  const workOff = async () => {
    let worker;
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      worker ??= newWorker(bundle);
      const result = await lookAt(worker, { name, seed: Number(seed), share });
      if (result.isLost) worker = undefined;
      results.push(result);
      say(lineOf(result));
    }
    await worker?.terminate();
  };
  await Promise.all(Array.from({ length: cores }, workOff));
  const finds = results.filter(({ find }) => find !== undefined).length;
  const cases = results.reduce((sum, result) => sum + result.cases, 0);
  say(`${cases.toLocaleString("en")} cases, ${finds} ${finds === 1 ? "find" : "finds"}`);
  return finds === 0 ? 0 : 1;
}

function newWorker(bundle) {
  return new Worker(fileURLToPath(new URL("fuzz-worker.mjs", import.meta.url)), {
    workerData: { bundle },
    resourceLimits: { maxOldGenerationSizeMb: MEMORY },
  });
}

/** One property in a worker, whose fall or silence is a find, too. */
async function lookAt(worker, task) {
  const began = Date.now();
  const latest = { name: task.name, seed: task.seed, cases: 0, slowest: 0 };
  const end = await new Promise((resolve) => {
    let heard = Date.now();
    const lost = (how) => () => {
      clearInterval(watch);
      void worker.terminate();
      const again = `npm run fuzz -- --only ${task.name} --seed ${latest.seed}`;
      resolve({ isLost: true, find: `${again}\n  ${how}` });
    };
    const silent = lost("one of its cases takes longer than a minute");
    const watch = setInterval(() => Date.now() - heard > PATIENCE && silent(), 1000);
    const fall = (error) => lost(error.stack ?? String(error))();
    worker.once("error", fall);
    worker.on("message", function listen(message) {
      heard = Date.now();
      Object.assign(latest, message);
      if (!message.isDone) return;
      clearInterval(watch);
      worker.off("message", listen);
      worker.off("error", fall);
      resolve({});
    });
    worker.postMessage(task);
  });
  return { ...latest, ...end, time: Date.now() - began };
}

function lineOf({ name, cases, time, slowest, find }) {
  const columns = [
    name.padEnd(14),
    `${cases.toLocaleString("en").padStart(10)} cases`,
    `${(time / 1000).toFixed(1).padStart(7)} s`,
    `  the slowest ${slowest.toFixed(0)} ms`,
  ];
  const found = find === undefined ? "" : `\nFOUND by ${name}: ${find}\n`;
  return columns.join(" ") + found;
}

function say(text) {
  process.stdout.write(`${text}\n`);
}
