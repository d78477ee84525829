/**
 * Runs the benchmarks: `npm run bench`, `npm run bench startup`, `npm run bench -- --json`. `--rounds`
 * changes the number of rounds, and `--node` the Node.js that `startup` measures with.
 *
 * A benchmark is a file in this folder that exports `run({ rounds, node })`. It resolves with one or more
 * results in the form of `compare()`: a title, a unit, and a row for each measurement. Rows with other figures need
 * the names of these figures. To add a benchmark, add it to the table below.
 */
import { existsSync } from "node:fs";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { tableText } from "./table.mjs";

const BENCHMARKS = {
  startup: () => import("./startup.mjs"),
  binary: () => import("./binary.mjs"),
  check: () => import("./check.mjs"),
  tables: () => import("./tables.mjs"),
  push: () => import("./push.mjs"),
  remove: () => import("./remove.mjs"),
  plan: () => import("./plan.mjs"),
  "push-curl": () => import("./push-curl.mjs"),
  pull: () => import("./pull.mjs"),
  listing: () => import("./listing.mjs"),
  formats: () => import("./formats.mjs"),
  memory: () => import("./memory.mjs"),
  throughput: () => import("./throughput.mjs"),
  bounds: () => import("./bounds.mjs"),
  data: () => import("./data.mjs"),
  load: () => import("./load.mjs"),
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: "boolean", default: false },
    rounds: { type: "string" },
    node: { type: "string" },
  },
});
process.exitCode = await main(positionals, values);

async function main(names, { json: asJson, rounds, node }) {
  const unknown = names.find((name) => !Object.hasOwn(BENCHMARKS, name));
  if (unknown !== undefined) {
    return fail(`unknown benchmark ${unknown}; choose from ${Object.keys(BENCHMARKS).join(", ")}`);
  }
  if (rounds !== undefined && !/^[1-9]\d*$/.test(rounds)) {
    return fail(`--rounds must be a whole number of at least 1 (is ${rounds})`);
  }
  if (!existsSync(fileURLToPath(new URL("../../dist", import.meta.url)))) {
    return fail("dist/ is missing; run `npm run build` first");
  }
  const machine = `Node.js ${process.version}, ${process.platform}, ${cpus().length} cores`;
  const options = {
    ...(rounds === undefined ? {} : { rounds: Number(rounds) }),
    ...(node === undefined ? {} : { node }),
  };
  const results = [];
  for (const name of names.length > 0 ? names : Object.keys(BENCHMARKS)) {
    const { run } = await BENCHMARKS[name]();
    for (const measured of [await run(options)].flat()) {
      const result = { name, ...measured };
      results.push(result);
      if (!asJson) process.stdout.write(`${tableText(result)}\n`);
    }
  }
  process.stdout.write(
    asJson ? `${JSON.stringify({ machine, results }, null, 2)}\n` : `${machine}\n`,
  );
  return 0;
}

function fail(message) {
  process.stderr.write(`bench: ${message}\n`);
  return 2;
}
