/** `check` of ten thousand files, beside a loop that only reads and parses them. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { timed } from "./command.mjs";
import { writeCourses } from "./courses.mjs";
import { paired } from "./paired.mjs";

const PROGRAM = fileURLToPath(new URL("../bin/catalog.js", import.meta.url));
const FILES = 10_000;
const ROUNDS = 9;

/** Time of both as whole processes, and the peak of their memory in the title. */
export async function run() {
  const folder = await mkdtemp(join(tmpdir(), "catalog-bench-"));
  try {
    const courses = join(folder, "courses");
    await writeCourses(courses, FILES);
    const loop = join(folder, "loop.mjs");
    await writeFile(loop, loopText());
    const environment = { PATH: process.env.PATH, HOME: folder };
    const node = (...words) => {
      return () => timed(process.execPath, words, { cwd: folder, env: environment });
    };
    const words = [PROGRAM, "courses", "check", courses];
    const peaks = [await peakOf(folder, [loop, courses]), await peakOf(folder, words)];
    return await paired({
      title: `check of ${FILES} YAML files of 3 KB; peak memory ${peaks.join(" and ")} MB`,
      rounds: ROUNDS,
      baseline: ["read and parse, nothing more", node(loop, courses)],
      candidates: [["catalog courses check", node(...words)]],
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
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

/** Megabytes that a run held at its peak. */
async function peakOf(folder, words) {
  const hook = join(folder, "peak.mjs");
  const told = join(folder, "peak.txt");
  await writeFile(
    hook,
    `import { writeFileSync } from "node:fs";
process.on("exit", () => writeFileSync(${JSON.stringify(told)}, String(process.resourceUsage().maxRSS)));
`,
  );
  timed(process.execPath, ["--import", pathToFileURL(hook).href, ...words], { cwd: folder });
  return Math.round(Number(await readFile(told, "utf8")) / 1024);
}
