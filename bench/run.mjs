/**
 * Runs the benchmarks: `npm run bench`, `npm run bench startup`, `npm run bench -- --json`.
 *
 * A benchmark is a file beside this one that exports `run()`, which resolves with what `paired()`
 * or a function like it makes: a title, the unit, and one row for each thing measured; or with a list
 * of these. Rows with other figures than its come with the names of these. Add it to the table below.
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
  data: () => import("./data.mjs"),
  load: () => import("./load.mjs"),
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: "boolean", default: false } },
});
process.exitCode = await main(positionals, values.json);

async function main(names, asJson) {
  const unknown = names.find((name) => !Object.hasOwn(BENCHMARKS, name));
  if (unknown !== undefined) {
    return fail(`there is no benchmark ${unknown}; known: ${Object.keys(BENCHMARKS).join(", ")}`);
  }
  if (!existsSync(fileURLToPath(new URL("../dist/main.js", import.meta.url)))) {
    return fail("the built program is measured, and dist/ is missing: `npm run build` first");
  }
  const machine = `Node.js ${process.version}, ${process.platform}, ${cpus().length} cores`;
  const results = [];
  for (const name of names.length > 0 ? names : Object.keys(BENCHMARKS)) {
    const { run } = await BENCHMARKS[name]();
    for (const measured of [await run()].flat()) {
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
