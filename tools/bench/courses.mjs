/** Course files for benchmarks. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { dump } from "js-yaml";
import { seededRandom } from "./random.mjs";

/** The seed of the random words in every benchmark. */
const SEED = 12_345;
const LESSONS = 12;

/** Writes a folder of `count` valid courses with `changes`, in YAML files of about 3 KB; the same in every run. */
export async function writeCourses(folder, count, changes = {}) {
  await mkdir(folder);
  const random = seededRandom(SEED);
  for (let index = 0; index < count; index++) {
    await writeFile(
      join(folder, `course-${index}.yaml`),
      dump({ ...courseOf(index, random), ...changes }),
    );
  }
}

/**
 * Writes the courses of `writeCourses` as JSON bodies that create them.
 *
 * @returns the paths of the files, one for each course
 */
export async function writeBodies(folder, count) {
  await mkdir(folder);
  const random = seededRandom(SEED);
  const paths = Array.from({ length: count }, (_, index) => join(folder, `${index}.json`));
  for (const [index, path] of paths.entries()) {
    await writeFile(path, JSON.stringify(courseOf(index, random)));
  }
  return paths;
}

/**
 * The courses of `writeCourses` as a service lists them, with an id and the fields that the service adds.
 *
 * @param lessons the number of lessons in each syllabus: 12 as in the files, or 3 for courses of about 2 KB
 */
export function* listedCourses(count, lessons = LESSONS) {
  const random = seededRandom(SEED);
  for (let index = 0; index < count; index++) {
    yield {
      id: numberedId(index),
      slug: `course-${index}-bench`,
      published: true,
      ...courseOf(index, random, lessons),
      ...UNSET,
      approval_status: "pending",
      last_fetched_at: "2026-01-01T00:00:00+00:00",
      schema_version: "1.0.0",
    };
  }
}

/** Fields that the files omit, with the values that the service adds. */
const UNSET = {
  offered_by: null,
  video: null,
  provider_rating: null,
  free_content: null,
  paid_content: null,
  subtitles_text: null,
  image_url: null,
  assessments: null,
  assignments: null,
};

/**
 * Writes a folder of `count` courses of about 3 KB as a seed, in JSON files of the largest allowed size.
 *
 * @param providers the number of providers that share the courses
 */
export async function writeSeed(folder, count, providers) {
  await mkdir(folder);
  const random = seededRandom(SEED);
  for (let start = 0; start < count; start += COURSES_IN_FILE) {
    const courses = [];
    for (let index = start; index < Math.min(count, start + COURSES_IN_FILE); index++) {
      const ids = { id: numberedId(index), provider_id: numberedId(index % providers) };
      courses.push({ ...courseOf(index, random), ...ids });
    }
    await writeFile(join(folder, `${start}.json`), JSON.stringify(courses));
  }
}

/** The provider of all courses, except for courses of a seed. */
export const PROVIDER_ID = "6f0f8a34-4f3b-4c58-9d7e-0d0c3c1f5b21";

const COURSES_IN_FILE = 10_000;

/** The start of the ids of all courses; no other text in the courses contains it. */
export const ID_START = "40000000-0000-4000-8000-";

/** The UUID for a number. */
export function numberedId(number) {
  return `${ID_START}${String(number).padStart(12, "0")}`;
}

const WORDS =
  "yarn needle chart scarf pattern learn basics of the and with casting on binding off lesson project color stitch gauge knit purl row round".split(
    " ",
  );

function courseOf(index, random, lessons = LESSONS) {
  const words = (count) =>
    Array.from({ length: count }, () => WORDS[Math.floor(random() * WORDS.length)]).join(" ");
  return {
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
    what_you_will_learn: Array.from({ length: 4 }, () => ({ title: words(5) })),
    syllabus: Array.from({ length: lessons }, () => ({
      title: words(5),
      description: words(8),
      duration: { value: 45, unit: "minutes" },
    })),
    number_of_lessons: lessons,
    duration_in_hours: 7.5,
  };
}
