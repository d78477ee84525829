/** Measures `check` of a workbook with ten thousand courses, compared with the same rows as CSV. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { utils, write } from "@e965/xlsx";
import { parse } from "csv-parse/sync";
import { requireOutput, timeCommand } from "./command.mjs";
import { compare } from "./compare.mjs";
import { writeCourses } from "./courses.mjs";
import { measurePeakMemory } from "./peak-memory.mjs";
import { PROGRAM, plainEnvironment } from "./program.mjs";
import { withTemporaryFolder } from "./temporary-folder.mjs";

const ROWS = 10_000;
const ROUNDS = 7;

export async function run({ rounds = ROUNDS } = {}) {
  return await withTemporaryFolder(async (folder) => {
    const env = plainEnvironment(folder);
    const options = { cwd: folder, env, stdio: ["ignore", "ignore", "pipe"] };
    await writeCourses(join(folder, "valid"), ROWS);
    const convert = [PROGRAM, "courses", "import", "valid", "--out", "courses.csv"];
    timeCommand(process.execPath, convert, options);
    const rows = parse(await readFile(join(folder, "courses.csv")));
    const book = utils.book_new(utils.aoa_to_sheet(rows), "Courses");
    await writeFile(
      join(folder, "courses.xlsx"),
      write(book, { type: "buffer", compression: true }),
    );
    const checkOf = (name) => [PROGRAM, "courses", "check", name];
    for (const name of ["courses.csv", "courses.xlsx"]) {
      const words = [...checkOf(name), "--format", "json"];
      requireOutput(
        1,
        `"courses": ${ROWS},\n  "errors": 0,`,
        folder,
        process.execPath,
        words,
        options,
      );
    }
    const time = (name) => [name, () => timeCommand(process.execPath, checkOf(name), options)];
    const memory = (name) => [name, () => measurePeakMemory(folder, checkOf(name), options)];
    const compared = (how) => ({ baseline: how("courses.csv"), candidates: [how("courses.xlsx")] });
    return [
      await compare({
        title: `check of one table with ${ROWS} courses`,
        rounds,
        warmUp: 1,
        ...compared(time),
      }),
      await compare({
        title: "peak memory of the same",
        unit: "MB",
        rounds: 1,
        warmUp: 0,
        ...compared(memory),
      }),
    ];
  });
}
