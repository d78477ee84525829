/** `ls --all` of many courses, beside `curl` in a loop over the pages. */
import { has, mustShow } from "./command.mjs";
import { ID_START } from "./courses.mjs";
import { PAGE, readPages, shellOptions, timedShell } from "./curl.mjs";
import { inFolder } from "./folder.mjs";
import { paired, skipped } from "./paired.mjs";
import { PROGRAM, timedCatalog } from "./program.mjs";
import { atService } from "./service.mjs";

const COURSES = 100_000;
const LATENCY = 20;
const LS = ["courses", "ls", "--all", "-o", "ndjson"];
const TITLE = `reading all of ${COURSES} courses of 2 KB, ${PAGE} a page, ${LATENCY} ms a request`;

/** Whole processes; what they print goes to nobody. */
export async function run({ rounds } = {}) {
  if (!has("curl")) return skipped(TITLE, "curl");
  return await inFolder(async (folder) => {
    return await atService({ courses: COURSES, latency: LATENCY }, async (environment) => {
      const place = { folder, environment };
      const lines = readPages(COURSES);
      const options = shellOptions(place);
      mustShow(COURSES, ID_START, folder, "sh", ["-e", "-c", lines], options);
      mustShow(COURSES, ID_START, folder, process.execPath, [PROGRAM, ...LS], options);
      const ls = (...words) => {
        return () => timedCatalog([...LS, ...words], place);
      };
      return await paired({
        title: TITLE,
        rounds,
        warmUp: 1,
        baseline: ["curl, page after page", () => timedShell(lines, place)],
        candidates: [
          ["catalog courses ls --all -o ndjson", ls()],
          ["the same with --concurrency 16", ls("--concurrency", "16")],
        ],
      });
    });
  });
}
