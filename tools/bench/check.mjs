/**
 * Measures `check` of ten thousand files, compared with ajv-cli with the schema of `catalog schema`, and with
 * reading and parsing alone. To install ajv-cli, which is optional:
 * `npm install --prefix /tmp/ajv ajv-cli ajv-formats`, then `PATH=/tmp/ajv/node_modules/.bin:$PATH`.
 */
import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isInstalled, requireOutput, timeCommand } from "./command.mjs";
import { compare, missingNote } from "./compare.mjs";
import { writeCourses } from "./courses.mjs";
import { measurePeakMemory } from "./peak-memory.mjs";
import { PROGRAM, plainEnvironment } from "./program.mjs";
import { withTemporaryFolder } from "./temporary-folder.mjs";

const FILES = 10_000;
const ROUNDS = 7;

/** Measures complete processes. A separate table has their peak memory. */
export async function run({ rounds = ROUNDS } = {}) {
  return await withTemporaryFolder(async (folder) => {
    const options = {
      cwd: folder,
      env: plainEnvironment(folder),
      stdio: ["ignore", "ignore", "pipe"],
    };
    const checkOf = (name) => [PROGRAM, "courses", "check", join(folder, name)];
    await writeCourses(join(folder, "valid"), FILES);
    await writeCourses(join(folder, "warnings"), FILES, {
      short_description: "With <b>markup</b>.",
    });
    for (const [name, warnings] of [
      ["valid", 0],
      ["warnings", FILES],
    ]) {
      const words = [...checkOf(name), "--format", "json"];
      const expected = `"courses": ${FILES},\n  "errors": 0,\n  "warnings": ${warnings},`;
      requireOutput(1, expected, folder, process.execPath, words, options);
    }
    const loop = join(folder, "loop.mjs");
    await writeFile(loop, loopText());
    const node = (words) => () => timeCommand(process.execPath, words, options);
    const check = ["catalog courses check", node(checkOf("valid"))];
    const parse = ["read and parse only", node([loop, join(folder, "valid")])];
    const ajv = isInstalled("ajv") ? await prepareAjv(folder, options) : undefined;
    return [
      await compare({
        title: `check of ${FILES} valid YAML files of 3 KB`,
        rounds,
        warmUp: 1,
        baseline: ajv ?? parse,
        candidates: ajv === undefined ? [check] : [parse, check],
        ...(ajv === undefined ? { note: missingNote("ajv") } : {}),
      }),
      await compare({
        title: `check of ${FILES} files with a warning in each`,
        rounds,
        warmUp: 1,
        baseline: ["catalog courses check, no findings", node(checkOf("valid"))],
        candidates: [["catalog courses check, a warning in each", node(checkOf("warnings"))]],
      }),
      await compare({
        title: "peak memory of the same",
        unit: "MB",
        rounds: 1,
        warmUp: 0,
        baseline: [
          parse[0],
          () => measurePeakMemory(folder, [loop, join(folder, "valid")], options),
        ],
        candidates: [[check[0], () => measurePeakMemory(folder, checkOf("valid"), options)]],
      }),
    ];
  });
}

/** Validates the same files with ajv-cli. */
async function prepareAjv(folder, options) {
  const schema = join(folder, "schema.json");
  await writeFile(schema, execFileSync(process.execPath, [PROGRAM, "schema"]));
  const flags = ["--spec=draft2020", "--strict=false", "-c", "ajv-formats"];
  const words = ["validate", ...flags, "-s", schema, "-d", join(folder, "valid", "*.yaml")];
  return ["ajv-cli", () => timeCommand("ajv", words, options)];
}

/** Parses all files with the parser of `check`. */
function loopText() {
  const parser = JSON.stringify(import.meta.resolve("js-yaml"));
  return `import { readdirSync, readFileSync } from "node:fs";
import { CORE_SCHEMA, load } from ${parser};
const [folder] = process.argv.slice(2);
let courses = 0;
for (const name of readdirSync(folder)) {
  const course = load(readFileSync(folder + "/" + name, "utf8"), { schema: CORE_SCHEMA });
  if (course.name !== "") courses++;
}
console.log(courses);
`;
}
