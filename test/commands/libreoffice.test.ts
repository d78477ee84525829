/**
 * Workbooks that LibreOffice saves: real courses are exported, edited and pushed. LibreOffice edits by a detour: it saves
 * the workbook as flat XML, in which a test changes a cell, and reads it again.
 */
import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import type { Provider } from "../../src/course/provider.ts";
import { DEFAULT_KEY } from "../../src/sandbox/seed.ts";
import { isInstalled } from "../executable.ts";
import { IS_LONG } from "../long.ts";
import { realCourses } from "../real-courses.ts";
import { type Rig, rig } from "../rig.ts";
import { lines } from "./helpers.ts";
import { writeRequests } from "./push-files.ts";

/** Converts a file of the rig's folder with LibreOffice, which takes seconds. */
async function convert({ folder }: Rig, file: string, format: string): Promise<void> {
  const home = `-env:UserInstallation=file://${folder}/libreoffice`;
  const words = [home, "--headless", "--convert-to", format, "--outdir", ".", file];
  execFileSync("soffice", words, { cwd: folder, stdio: "ignore" });
}

test.runIf(IS_LONG && isInstalled("soffice"))(
  "one cell that LibreOffice edits in hundreds of real courses is one PATCH of one field, and a colleague's changes stay",
  async () => {
    const file = new URL("../real-courses/providers.ndjson", import.meta.url);
    const providers = lines(await readFile(file, "utf8")).map((line): Provider => JSON.parse(line));
    const r = await rig({ seed: { users: [{ key: DEFAULT_KEY, providers, courses: [] }] } });
    await r.write("all.json", realCourses());
    const [mine = "", theirs = ""] = lines((await r.run("courses create all.json")).stdout);
    await r.run("courses ls --all --out courses.xlsx");
    await r.run(["courses", "update", mine, "--short-description", "By a colleague."]);
    await r.run(["courses", "update", theirs, "--name", "By a colleague"]);
    const get = async (id: string) => JSON.parse((await r.run(`courses get ${id}`)).stdout);
    await convert(r, "courses.xlsx", "fods");
    const xml = await r.read("courses.fods");
    // The first sheet is the visible one.
    const edited = xml.replace(`>${(await get(mine)).name}<`, ">Edited in LibreOffice<");
    await r.write("edited.fods", edited);
    await convert(r, "edited.fods", "xlsx");
    const ran = await r.run("courses push edited.xlsx");
    expect([ran.code, writeRequests(ran)]).toEqual([0, [`PATCH /developer/v1/courses?id=${mine}`]]);
    const changed = { name: "Edited in LibreOffice", short_description: "By a colleague." };
    expect(await get(mine)).toMatchObject(changed);
    expect(await get(theirs)).toMatchObject({ name: "By a colleague" });
  },
  120_000,
);
