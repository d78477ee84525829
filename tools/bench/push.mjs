/** Measures the CPU time and the peak memory of `push` of unchanged courses, compared with `check` of the files. */
import { join } from "node:path";
import { compare } from "./compare.mjs";
import { writeCourses } from "./courses.mjs";
import { measureNode, PROGRAM, runNode } from "./program.mjs";
import { withService } from "./service.mjs";

const COURSES = 50_000;
/** How many times the CPU time of `check` a push may take, and how many kB of memory for each course. */
const GOALS = { cpu: 2, memory: 6 };

export async function run({ folder, rounds, node }) {
  await writeCourses(join(folder, "all"), COURSES);
  return await withService(COURSES, async (environment) => {
    const place = { folder, environment, node };
    const push = (files) => [PROGRAM, "courses", "push", files];
    const { output } = runNode([...push("all"), "-o", "ndjson"], place);
    const unchanged = output.split('"unchanged"').length - 1;
    if (unchanged < COURSES) throw new Error(`only ${unchanged} courses were unchanged`);
    const cpu = (words) => () => measureNode(words, place).cpu;
    const time = await compare({
      title: `CPU time of push of ${COURSES} unchanged courses`,
      unit: "ms",
      rounds,
      measurements: [
        { name: "catalog courses check", measure: cpu([PROGRAM, "courses", "check", "all"]) },
        { name: "catalog courses push", measure: cpu(push("all")), goal: GOALS.cpu },
      ],
    });
    const perCourse = (words) => () => measureNode(words, place).memory / COURSES;
    const memory = await compare({
      title: `Peak memory of the same for each course (kB, goal: ${GOALS.memory} more than --version)`,
      unit: "kB",
      rounds: 1,
      measurements: [
        { name: "catalog --version", measure: perCourse([PROGRAM, "--version"]) },
        { name: "catalog courses push", measure: perCourse(push("all")) },
      ],
    });
    return [time, memory];
  });
}
