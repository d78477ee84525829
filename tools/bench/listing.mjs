/** Measures `ls --all` of many courses, compared with a loop of `curl` over the pages. */
import { isInstalled, requireOutput } from "./command.mjs";
import { compare, skipped } from "./compare.mjs";
import { ID_START } from "./courses.mjs";
import { PAGE, readPages, shellOptions, timeShell } from "./curl.mjs";
import { PROGRAM, timeCatalog } from "./program.mjs";
import { withService } from "./service.mjs";
import { withTemporaryFolder } from "./temporary-folder.mjs";

const COURSES = 100_000;
const LATENCY = 20;
const LS = ["courses", "ls", "--all", "-o", "ndjson"];
const TITLE = `reading all of ${COURSES} courses of 2 KB, ${PAGE} a page, ${LATENCY} ms a request`;

/** Measures complete processes whose output is discarded. */
export async function run({ rounds } = {}) {
  if (!isInstalled("curl")) return skipped(TITLE, "curl");
  return await withTemporaryFolder(async (folder) => {
    return await withService({ courses: COURSES, latency: LATENCY }, async (environment) => {
      const place = { folder, environment };
      const lines = readPages(COURSES);
      const options = shellOptions(place);
      requireOutput(COURSES, ID_START, folder, "sh", ["-e", "-c", lines], options);
      requireOutput(COURSES, ID_START, folder, process.execPath, [PROGRAM, ...LS], options);
      const ls = (...words) => {
        return () => timeCatalog([...LS, ...words], place);
      };
      return await compare({
        title: TITLE,
        rounds,
        warmUp: 1,
        baseline: ["curl, page after page", () => timeShell(lines, place)],
        candidates: [
          ["catalog courses ls --all -o ndjson", ls()],
          ["the same with --concurrency 16", ls("--concurrency", "16")],
        ],
      });
    });
  });
}
