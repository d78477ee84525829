/** Course files for benchmarks, and the same courses as the service lists them. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { dump } from "js-yaml";

export const PROVIDER_ID = "6f0f8a34-4f3b-4c58-9d7e-0d0c3c1f5b21";

const WORDS =
  "yarn needle chart scarf pattern learn basics of the and with casting on binding off lesson".split(
    " ",
  );

/** Writes a folder of valid courses in YAML files of about 3 KB; the same in every run. */
export async function writeCourses(folder, count) {
  await mkdir(folder);
  for (let index = 0; index < count; index++) {
    await writeFile(join(folder, `course-${index}.yaml`), dump(courseOf(index)));
  }
}

/** A course of `writeCourses` as the service lists it. */
export function listedCourse(index) {
  return {
    ...courseOf(index),
    slug: `course-${index}-bench`,
    published: true,
    video: null,
    approval_status: "pending",
    last_fetched_at: "2026-01-01T00:00:00+00:00",
    schema_version: "1.0.0",
  };
}

function courseOf(index) {
  let position = index;
  const words = (count) =>
    Array.from({ length: count }, () => WORDS[position++ % WORDS.length]).join(" ");
  return {
    id: `40000000-0000-4000-8000-${String(index).padStart(12, "0")}`,
    name: `Course ${index} ${words(4)}`,
    url: `https://academy.example/courses/${index}`,
    short_description: words(20),
    long_description: words(90),
    audio: ["en", "pt-BR"],
    provider_id: PROVIDER_ID,
    pace: "self_paced",
    prices: [{ type: "single_course", price: "49.99", currency: "EUR", plan_type: "regular" }],
    certificate: { type: "paid", price: "39.00", currency: "EUR" },
    level: ["beginner"],
    instructors: [{ name: "Ada Lovelace", main: true }],
    syllabus: Array.from({ length: 12 }, () => ({
      title: words(5),
      description: words(8),
      duration: { value: 45, unit: "minutes" },
    })),
    duration_in_hours: 7.5,
  };
}
