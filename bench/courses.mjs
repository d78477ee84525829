/** Course files for benchmarks. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { dump } from "js-yaml";
import { seeded } from "./seeded.mjs";

/** Writes a folder of that many valid courses, a YAML file of about 3 KB each; the same every time. */
export async function writeCourses(folder, count) {
  await mkdir(folder);
  const random = seeded(12_345);
  for (let index = 0; index < count; index++) {
    await writeFile(join(folder, `course-${index}.yaml`), dump(courseOf(index, random)));
  }
}

/**
 * Writes a folder of that many courses of about 2 KB each as a seed, in JSON files that each hold as
 * many as a course file may.
 *
 * @param providers between how many providers they are dealt out
 */
export async function writeSeed(folder, count, providers) {
  await mkdir(folder);
  const random = seeded(12_345);
  for (let start = 0; start < count; start += COURSES_IN_FILE) {
    const courses = [];
    for (let index = start; index < Math.min(count, start + COURSES_IN_FILE); index++) {
      const ids = { id: numberedId(index), provider_id: numberedId(index % providers) };
      courses.push({ ...courseOf(index, random), ...ids });
    }
    await writeFile(join(folder, `${start}.json`), JSON.stringify(courses));
  }
}

const COURSES_IN_FILE = 10_000;

/** A UUID for each number. */
export function numberedId(number) {
  return `40000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
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
