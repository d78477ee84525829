/** Measures the peak memory of `ls --all`, for many courses compared with few. */
import { compare } from "./compare.mjs";
import { measurePeakMemory } from "./peak-memory.mjs";
import { IGNORE_OUTPUT, PROGRAM, plainEnvironment } from "./program.mjs";
import { startService } from "./service.mjs";
import { withTemporaryFolder } from "./temporary-folder.mjs";

const FEW = 1_000;
const MANY = 100_000;
const LATENCY = 20;

/** Measures complete processes whose output is discarded. */
export async function run({ rounds } = {}) {
  return await withTemporaryFolder(async (folder) => {
    const services = await Promise.all(
      [FEW, MANY].map((courses) => startService({ courses, latency: LATENCY })),
    );
    try {
      const [few, many] = services.map(({ environment }) => () => {
        return measurePeakMemory(folder, [PROGRAM, "courses", "ls", "--all", "-o", "ndjson"], {
          cwd: folder,
          env: plainEnvironment(folder, environment),
          stdio: IGNORE_OUTPUT,
        });
      });
      return await compare({
        title: `peak memory of ls --all -o ndjson, courses of 2 KB, ${LATENCY} ms a request`,
        unit: "MB",
        rounds,
        warmUp: 1,
        baseline: [`${FEW} courses`, few],
        candidates: [[`${MANY} courses`, many]],
      });
    } finally {
      for (const service of services) await service.stop();
    }
  });
}
