/** For tests of `courses import`: runs it in a folder with given files, and follows its suggestions. */
import { rigWith } from "./helpers.ts";
// The program loads these when it needs them; here, the first test would wait for them.
import "../../src/commands/courses/import/run-import.ts";
import "../../src/files/workbook.ts";

/** Imports in a folder with these files. */
export async function importIn(
  files: Readonly<Record<string, string | Buffer | object>>,
  line: string,
) {
  const r = await rigWith();
  for (const [name, content] of Object.entries(files)) await r.write(name, content);
  return { r, ...(await r.run(`courses import ${line}`)) };
}

/** The courses that the suggested mapping makes of a file, with the mapping and the messages of both runs. */
export async function suggested(name: string, content: string | Buffer) {
  const {
    r,
    stdout: mapping,
    stderr: warnings,
  } = await importIn({ [name]: content }, `${name} --suggest`);
  await r.write("map.jsonata", mapping);
  const ran = await r.run(`courses import ${name} --map map.jsonata --format json`);
  const courses: Record<string, unknown>[] = JSON.parse(ran.stdout);
  return { mapping, courses, warnings, ran };
}
