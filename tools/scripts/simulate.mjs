/**
 * `npm run simulate -- --steps 100000 --seed 1`: plays random histories against the command until a promise is broken.
 * With `--weeks 40`, it plays the weeks of two editors with a workbook each.
 */
import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";

const { values } = parseArgs({
  options: {
    steps: { type: "string", default: "5000" },
    weeks: { type: "string" },
    seed: { type: "string", default: "1" },
    "keep-going": { type: "boolean", default: false },
  },
});
const { status } = spawnSync(
  "vitest",
  [
    "run",
    "test/simulation/simulate.test.ts",
    "-t",
    values.weeks === undefined ? "random" : "weeks",
  ],
  {
    stdio: "inherit",
    shell: process.platform === "win32",
    env: {
      ...process.env,
      CATALOG_SIMULATION_STEPS: values.steps,
      CATALOG_SIMULATION_SEED: values.seed,
      ...(values.weeks === undefined ? {} : { CATALOG_SIMULATION_WEEKS: values.weeks }),
      ...(values["keep-going"] ? { CATALOG_SIMULATION_KEEP_GOING: "1" } : {}),
    },
  },
);
process.exitCode = status ?? 1;
