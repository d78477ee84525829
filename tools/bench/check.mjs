/** `check` of ten thousand files, beside a loop that only reads and parses them. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { mustShow, timed } from "./command.mjs";
import { writeCourses } from "./courses.mjs";
import { inFolder } from "./folder.mjs";
import { paired } from "./paired.mjs";
import { peakOf } from "./peak.mjs";
import { PROGRAM, plainEnvironment } from "./program.mjs";

const FILES = 10_000;

/** Time of both as whole processes, and the peak of their memory in a table of its own. */
export async function run({ rounds } = {}) {
  return await inFolder(async (folder) => {
    const courses = join(folder, "courses");
    await writeCourses(courses, FILES);
    const loop = join(folder, "loop.mjs");
    await writeFile(loop, loopText());
    const options = { cwd: folder, env: plainEnvironment(folder) };
    const check = [PROGRAM, "courses", "check", courses];
    const told = [...check, "--format", "json"];
    mustShow(1, `"courses": ${FILES},`, folder, process.execPath, told, options);
    const sides = (measure) => ({
      baseline: ["read and parse, nothing more", () => measure([loop, courses])],
      candidates: [["catalog courses check", () => measure(check)]],
    });
    return [
      await paired({
        title: `check of ${FILES} YAML files of 3 KB`,
        rounds,
        warmUp: 1,
        ...sides((words) => timed(process.execPath, words, options)),
      }),
      await paired({
        title: "peak memory of the same",
        unit: "MB",
        rounds: 1,
        warmUp: 0,
        ...sides((words) => peakOf(folder, words, options)),
      }),
    ];
  });
}

/** The loop uses the same parser in the same way, in one thread. */
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
