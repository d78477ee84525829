/**
 * Measures the built program, as ratios to a baseline in the same run: `npm run bench`, `npm run bench startup`.
 * `--rounds` changes the number of rounds, and `--node` the Node.js that runs the program and the baseline.
 *
 * A benchmark is a file in this folder with a function `run({ folder, rounds, node })`, which returns results of
 * `compare()`.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { tableText } from "./compare.mjs";

const BENCHMARKS = ["startup", "check", "push"];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: "string", default: "7" },
    node: { type: "string", default: process.execPath },
  },
});
const names = positionals.length > 0 ? positionals : BENCHMARKS;
const rounds = Number(values.rounds);
if (!names.every((name) => BENCHMARKS.includes(name)) || !(rounds >= 1)) {
  process.stderr.write(
    `usage: npm run bench -- [${BENCHMARKS.join("] [")}] [--rounds 7] [--node <program>]\n`,
  );
  process.exit(2);
}
for (const name of names) {
  const { run } = await import(`./${name}.mjs`);
  const folder = await mkdtemp(join(tmpdir(), "catalog-bench-"));
  try {
    const results = await run({ folder, rounds, node: values.node });
    for (const result of results) process.stdout.write(`${tableText(result)}\n`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
process.stdout.write(`${process.platform}, ${cpus().length} cores\n`);
