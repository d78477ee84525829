/**
 * Workbooks that LibreOffice saves: real courses are exported, edited and pushed. LibreOffice edits by a detour: it saves
 * the workbook as flat XML, in which a test changes a cell, and reads it again.
 */
import { execFileSync } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Provider } from "../../src/course/provider.ts";
import { DEFAULT_KEY } from "../../src/sandbox/seed.ts";
import { isInstalled } from "../executable.ts";
import { IS_LONG } from "../long.ts";
import { realCourses } from "../real-courses.ts";
import { type Rig, rig } from "../rig.ts";
import { lines } from "./helpers.ts";
import { writeRequests } from "./push-files.ts";

/** A rig whose catalog has real courses, with a workbook of them. */
async function exported(): Promise<{ readonly r: Rig; readonly ids: readonly string[] }> {
  const file = new URL("../real-courses/providers.ndjson", import.meta.url);
  const providers = lines(await readFile(file, "utf8")).map((line): Provider => JSON.parse(line));
  const r = await rig({ seed: { users: [{ key: DEFAULT_KEY, providers, courses: [] }] } });
  await r.write("all.json", realCourses());
  const created = await r.run("courses create all.json --no-record");
  await r.run("courses ls --all --out courses.xlsx");
  return { r, ids: created.stdout.trim().split("\n") };
}

/** The settings of LibreOffice, which takes seconds to make them. */
let profile = "";
beforeAll(async () => {
  profile = await mkdtemp(join(tmpdir(), "catalog-libreoffice-"));
});
afterAll(async () => await rm(profile, { recursive: true, force: true }));

/** Saves the workbook in LibreOffice as edited.xlsx or edited.csv, after a change of its flat XML. */
async function saveInLibreOffice(r: Rig, change: (xml: string) => string, to = "xlsx") {
  const convert = (file: string, format: string): void => {
    const home = `-env:UserInstallation=file://${profile}`;
    const words = [home, "--headless", "--convert-to", format, "--outdir", ".", file];
    execFileSync("soffice", words, { cwd: r.folder, stdio: "ignore" });
  };
  convert("courses.xlsx", "fods");
  const xml = await r.read("courses.fods");
  expect(change(xml)).not.toBe(xml);
  await r.write("edited.fods", change(xml));
  convert("edited.fods", to);
}

describe.runIf(IS_LONG && isInstalled("soffice"))("with LibreOffice, where it is installed", () => {
  test("one edited cell of hundreds of real courses is one PATCH of one field, and a colleague's changes stay", async () => {
    const { r, ids } = await exported();
    const [mine = "", theirs = ""] = ids;
    await r.run(["courses", "update", mine, "--short-description", "By a colleague."]);
    await r.run(["courses", "update", theirs, "--name", "By a colleague"]);
    const { name } = JSON.parse((await r.run(["courses", "get", mine, "--json"])).stdout);
    // The first sheet is the visible one.
    await saveInLibreOffice(r, (xml) => xml.replace(`>${name}<`, ">Edited in LibreOffice<"));
    const ran = await r.run("courses push edited.xlsx");
    expect([ran.code, writeRequests(ran)]).toEqual([0, [expect.stringMatching(/^PATCH/)]]);
    const course = JSON.parse((await r.run(["courses", "get", mine, "--json"])).stdout);
    expect(course).toMatchObject({
      name: "Edited in LibreOffice",
      short_description: "By a colleague.",
    });
    const other = JSON.parse((await r.run(["courses", "get", theirs, "--json"])).stdout);
    expect(other).toMatchObject({ name: "By a colleague" });
  }, 120_000);

  test("a CSV in which LibreOffice replaced letters by question marks is refused, with nothing sent", async () => {
    const { r } = await exported();
    // Separator, quotation mark, and the number of Windows-1252.
    const csv = "csv:Text - txt - csv (StarCalc):44,34,1";
    await saveInLibreOffice(r, (xml) => xml.replace("</office:body>", "\n</office:body>"), csv);
    const ran = await r.run("courses push edited.csv");
    expect([ran.code, writeRequests(ran)]).toEqual([3, []]);
    expect(ran.stderr).toContain("[lost-characters]");
  }, 120_000);
});
