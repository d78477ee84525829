/**
 * Measures the CPU time of `check` of many files, compared with ajv-cli with the schema of `catalog schema`.
 * To install ajv-cli: `npm install --prefix /tmp/ajv ajv-cli ajv-formats`, then `AJV=/tmp/ajv/node_modules/.bin/ajv`.
 */
import { realpathSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { compare } from "./compare.mjs";
import { writeCourses } from "./courses.mjs";
import { measureNode, PROGRAM, runNode } from "./program.mjs";

const FILES = 7000;
/** How many times the CPU time of ajv-cli `check` may take. */
const GOAL = 1.2;

export async function run({ folder, rounds, node }) {
  await writeCourses(join(folder, "valid"), FILES);
  const check = [PROGRAM, "courses", "check", "valid"];
  const { output } = runNode([...check, "-o", "json"], { folder, node });
  const { courses, errors, warnings } = JSON.parse(output);
  if (courses !== FILES || errors + warnings > 0) throw new Error(`check found ${output}`);
  const cpu = (words) => () => measureNode(words, { folder, node }).cpu;
  const result = await compare({
    title: `CPU time of check of ${FILES} valid YAML files`,
    unit: "ms",
    rounds,
    measurements: [
      await baseline({ folder, node, cpu }),
      { name: "catalog courses check", measure: cpu(check), goal: GOAL },
    ],
  });
  return [result];
}

async function baseline({ folder, node, cpu }) {
  if (process.env.AJV === undefined) {
    throw new Error("AJV must be the path of ajv-cli: see tools/bench/check.mjs");
  }
  const schema = join(folder, "schema.json");
  await writeFile(schema, runNode([PROGRAM, "schema"], { folder, node }).output);
  const flags = ["--spec=draft2020", "--strict=false", "-c", "ajv-formats"];
  const words = ["validate", ...flags, "-s", schema, "-d", "valid/*.yaml"];
  return { name: "ajv validate", measure: cpu([realpathSync(process.env.AJV), ...words]) };
}
