/**
 * Runs the benchmarks: `npm run bench`, `npm run bench startup`, `npm run bench -- --json`, and with
 * other rounds than each has by itself `npm run bench -- listing --rounds 1`.
 *
 * A benchmark is a file beside this one that exports `run({ rounds })`, which resolves with what
 * `paired()` or a function like it makes: a title, the unit, and one row for each thing measured; or
 * with a list of these. Rows with other figures than its come with the names of these. Add it to the
 * table below.
 */
import { existsSync } from "node:fs";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { tableText } from "./table.mjs";

const BENCHMARKS = {
  startup: () => import("./startup.mjs"),
  check: () => import("./check.mjs"),
  push: () => import("./push.mjs"),
  "push-curl": () => import("./push-curl.mjs"),
  pull: () => import("./pull.mjs"),
  listing: () => import("./listing.mjs"),
  formats: () => import("./formats.mjs"),
  memory: () => import("./memory.mjs"),
  throughput: () => import("./throughput.mjs"),
  data: () => import("./data.mjs"),
  load: () => import("./load.mjs"),
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: "boolean", default: false }, rounds: { type: "string" } },
});
process.exitCode = await main(positionals, values);

async function main(names, { json: asJson, rounds }) {
  const unknown = names.find((name) => !Object.hasOwn(BENCHMARKS, name));
  if (unknown !== undefined) {
    return fail(`there is no benchmark ${unknown}; known: ${Object.keys(BENCHMARKS).join(", ")}`);
  }
  if (rounds !== undefined && !/^[1-9]\d*$/.test(rounds)) {
    return fail(`--rounds ${rounds}: a whole number from 1 on is needed`);
  }
  if (!existsSync(fileURLToPath(new URL("../../dist", import.meta.url)))) {
    return fail("the built program is measured, and dist/ is missing: `npm run build` first");
  }
  const machine = `Node.js ${process.version}, ${process.platform}, ${cpus().length} cores`;
  const options = rounds === undefined ? {} : { rounds: Number(rounds) };
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
