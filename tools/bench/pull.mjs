/** `pull` of many courses, beside `curl` that only reads the pages. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { has, mustShow } from "./command.mjs";
import { ID_START } from "./courses.mjs";
import { PAGE, readPages, shellOptions, timedShell } from "./curl.mjs";
import { inFolder } from "./folder.mjs";
import { paired, skipped } from "./paired.mjs";
import { timedCatalog } from "./program.mjs";
import { atService } from "./service.mjs";

const COURSES = 10_000;
const LATENCY = 50;
const TITLE = `pull of ${COURSES} courses of 2 KB into files, ${PAGE} a page, ${LATENCY} ms a request`;

/** Whole processes: into a folder that is not there yet, and into one that has every file. */
export async function run({ rounds } = {}) {
  if (!has("curl")) return skipped(TITLE, "curl");
  return await inFolder(async (folder) => {
    return await atService({ courses: COURSES, latency: LATENCY }, async (environment) => {
      const place = { folder, environment };
      const lines = readPages(COURSES);
      mustShow(COURSES, ID_START, folder, "sh", ["-e", "-c", lines], shellOptions(place));
      const pull = (into) => timedCatalog(["courses", "pull", into], place);
      let pulls = 0;
      pull("known");
      const { length } = await readdir(join(folder, "known"));
      if (length !== COURSES) throw new Error(`pull wrote ${length} files, not ${COURSES}`);
      return await paired({
        title: TITLE,
        rounds,
        warmUp: 1,
        baseline: [
          "curl, page after page, into files",
          () => timedShell(readPages(COURSES, "--output page-$offset.json"), place),
        ],
        candidates: [
          [
            "catalog courses pull, all files new",
            // Where thousands of files were removed a moment ago, some systems make new ones slowly.
            () => pull(`new-${++pulls}`),
          ],
          ["catalog courses pull, nothing to write", () => pull("known")],
        ],
      });
    });
  });
}
