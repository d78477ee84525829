/** Measures `pull` of many courses, compared with `curl` that only reads the pages. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { isInstalled, requireOutput } from "./command.mjs";
import { compare, skipped } from "./compare.mjs";
import { ID_START } from "./courses.mjs";
import { PAGE, readPages, shellOptions, timeShell } from "./curl.mjs";
import { timeCatalog } from "./program.mjs";
import { withService } from "./service.mjs";
import { withTemporaryFolder } from "./temporary-folder.mjs";

const COURSES = 10_000;
const LATENCY = 50;
const TITLE = `pull of ${COURSES} courses of 2 KB into files, ${PAGE} a page, ${LATENCY} ms a request`;

/** Measures complete processes that write to a new folder, and to a folder that already has every file. */
export async function run({ rounds } = {}) {
  if (!isInstalled("curl")) return skipped(TITLE, "curl");
  return await withTemporaryFolder(async (folder) => {
    return await withService({ courses: COURSES, latency: LATENCY }, async (environment) => {
      const place = { folder, environment };
      const lines = readPages(COURSES);
      requireOutput(COURSES, ID_START, folder, "sh", ["-e", "-c", lines], shellOptions(place));
      const pull = (into) => timeCatalog(["courses", "pull", into], place);
      let pulls = 0;
      pull("known");
      const { length } = await readdir(join(folder, "known"));
      if (length !== COURSES) throw new Error(`pull wrote ${length} files, not ${COURSES}`);
      return await compare({
        title: TITLE,
        rounds,
        warmUp: 1,
        baseline: [
          "curl, page after page, into files",
          () => timeShell(readPages(COURSES, "--output page-$offset.json"), place),
        ],
        candidates: [
          [
            "catalog courses pull, all files new",
            // A new folder each time, because some systems create files slowly where thousands were removed.
            () => pull(`new-${++pulls}`),
          ],
          ["catalog courses pull, nothing to write", () => pull("known")],
        ],
      });
    });
  });
}
