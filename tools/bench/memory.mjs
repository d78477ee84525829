/** The most memory that `ls --all` holds, for many courses beside few. */
import { inFolder } from "./folder.mjs";
import { paired } from "./paired.mjs";
import { peakOf } from "./peak.mjs";
import { PROGRAM, plainEnvironment, UNHEARD } from "./program.mjs";
import { startService } from "./service.mjs";

const FEW = 1_000;
const MANY = 100_000;
const LATENCY = 20;

/** Of whole processes whose output goes to nobody. */
export async function run({ rounds } = {}) {
  return await inFolder(async (folder) => {
    const services = await Promise.all(
      [FEW, MANY].map((courses) => startService({ courses, latency: LATENCY })),
    );
    try {
      const [few, many] = services.map(({ environment }) => () => {
        return peakOf(folder, [PROGRAM, "courses", "ls", "--all", "-o", "ndjson"], {
          cwd: folder,
          env: plainEnvironment(folder, environment),
          stdio: UNHEARD,
        });
      });
      return await paired({
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
