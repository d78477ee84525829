/** `check` of ten thousand files, beside a loop that only reads and parses them. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { dump } from "js-yaml";
import { timed } from "./command.mjs";
import { paired } from "./paired.mjs";
import { seeded } from "./seeded.mjs";

const PROGRAM = fileURLToPath(new URL("../bin/catalog.js", import.meta.url));
const FILES = 10_000;
const ROUNDS = 9;

/** Time of both as whole processes, and the peak of their memory in the title. */
export async function run() {
  const folder = await mkdtemp(join(tmpdir(), "catalog-bench-"));
  try {
    const courses = join(folder, "courses");
    await writeCourses(courses);
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

async function writeCourses(folder) {
  await mkdir(folder);
  const random = seeded(12_345);
  for (let index = 0; index < FILES; index++) {
    await writeFile(join(folder, `course-${index}.yaml`), dump(courseOf(index, random)));
  }
}

const WORDS =
  "yarn needle chart scarf pattern learn basics of the and with casting on binding off lesson project colour stitch gauge knit purl row round".split(
    " ",
  );

function courseOf(index, random) {
  const words = (count) =>
    Array.from({ length: count }, () => WORDS[Math.floor(random() * WORDS.length)]).join(" ");
  return {
    name: `Course ${index} ${words(4)}`,
    url: `https://academy.example/courses/${index}`,
    short_description: words(20),
    long_description: words(90),
    audio: ["en", "pt-BR"],
    provider_id: "6f0f8a34-4f3b-4c58-9d7e-0d0c3c1f5b21",
    pace: "self_paced",
    prices: [{ type: "single_course", price: "49.99", currency: "EUR", plan_type: "regular" }],
    certificate: { type: "paid", price: "39.00", currency: "EUR" },
    level: ["beginner"],
    instructors: [{ name: "Ada Lovelace", main: true }],
    what_you_will_learn: Array.from({ length: 4 }, () => ({ title: words(5) })),
    syllabus: Array.from({ length: 12 }, () => ({
      title: words(5),
      description: words(8),
      duration: { value: 45, unit: "minutes" },
    })),
    number_of_lessons: 12,
    duration_in_hours: 7.5,
  };
}
