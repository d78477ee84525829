/**
 * Workbooks that LibreOffice saves: real courses are exported, edited and pushed. LibreOffice edits by a detour: it saves
 * the workbook as flat XML, in which a test changes a cell, and reads it again.
 */
import { execFileSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isInstalled } from "../executable.ts";
import { IS_LONG } from "../long.ts";
import { realCourses } from "../real-courses.ts";
import { type Rig, rig } from "../rig.ts";
import { yearProviders } from "./year-files.ts";

/** A rig whose catalog has the real courses, with a workbook of them. */
async function exported(): Promise<{ readonly r: Rig; readonly ids: readonly string[] }> {
  const [user] = [{ key: "sandbox.0123456789abcdef", providers: yearProviders(), courses: [] }];
  const r = await rig({ seed: { users: [user] } });
  await r.write("all.json", JSON.stringify(realCourses()));
  const created = await r.run(["courses", "create", "all.json", "--no-record"]);
  await r.run(["courses", "ls", "--all", "--out", "courses.xlsx"]);
  return { r, ids: created.stdout.trim().split("\n") };
}

/** Saves the workbook in LibreOffice, after a change of its flat XML. */
async function saveInLibreOffice(r: Rig, change: (xml: string) => string, to = "xlsx") {
  const convert = (file: string, format: string): void => {
    const home = `-env:UserInstallation=file://${join(r.folder, "libreoffice")}`;
    const words = [home, "--headless", "--convert-to", format, "--outdir", ".", file];
    execFileSync("soffice", words, { cwd: r.folder, stdio: "ignore" });
  };
  convert("courses.xlsx", "fods");
  const file = join(r.folder, "courses.fods");
  const xml = await readFile(file, "utf8");
  const changed = change(xml);
  expect(changed).not.toBe(xml);
  await writeFile(file, changed);
  convert("courses.fods", to);
}

const changesOf = (requests: readonly string[]) =>
  requests.filter((request) => !request.startsWith("GET"));

describe.runIf(IS_LONG && isInstalled("soffice"))("with LibreOffice, where it is installed", () => {
  test("one edited cell of hundreds of real courses is one PATCH of one field, and a colleague's changes stay", async () => {
    const { r, ids } = await exported();
    const [mine = "", theirs = ""] = ids;
    await r.run(["courses", "update", mine, "--short-description", "By a colleague."]);
    await r.run(["courses", "update", theirs, "--name", "By a colleague"]);
    const { name } = JSON.parse((await r.run(["courses", "get", mine, "--json"])).stdout);
    // The first sheet is the visible one.
    await saveInLibreOffice(r, (xml) => xml.replace(`>${name}<`, ">Edited in LibreOffice<"));
    const ran = await r.run(["courses", "push", "courses.xlsx"]);
    expect([ran.code, changesOf(ran.requests)]).toEqual([0, [expect.stringMatching(/^PATCH/)]]);
    const course = JSON.parse((await r.run(["courses", "get", mine, "--json"])).stdout);
    expect(course).toMatchObject({
      name: "Edited in LibreOffice",
      short_description: "By a colleague.",
    });
    expect((await r.run(["courses", "get", theirs, "--fields", "name", "-o", "tsv"])).stdout).toBe(
      "By a colleague\n",
    );
  }, 120_000);

  test("a course without a price gets one in its cells, and an amount with too many decimals is refused", async () => {
    const { r, ids } = await exported();
    const [mine = ""] = ids;
    const { name } = JSON.parse((await r.run(["courses", "get", mine, "--json"])).stdout);
    const type = (amount: string) => (xml: string) => {
      const row = xml.indexOf(`>${name}<`);
      const cells = ["single_course", amount, "EUR"].map((text) => {
        const value = text === amount ? `float" office:value="${text}` : "string";
        return `<table:table-cell office:value-type="${value}"><text:p>${text}</text:p></table:table-cell>`;
      });
      // The first cells without a value are those of the price, of which the type has a list of values.
      const empty =
        /<table:table-cell[^>]*\/>\s*(<table:table-cell[^>]*repeated=")(\d+)("[^>]*\/>)/;
      const typed = xml.slice(row).replace(empty, (_, start, count, end) => {
        return `${cells.join("")}${start}${Number(count) - 2}${end}`;
      });
      return xml.slice(0, row) + typed;
    };
    await saveInLibreOffice(r, type("49.9"));
    const ran = await r.run(["courses", "push", "courses.xlsx"]);
    expect([ran.code, changesOf(ran.requests)]).toEqual([0, [expect.stringMatching(/^PATCH/)]]);
    const { prices } = JSON.parse((await r.run(["courses", "get", mine, "--json"])).stdout);
    expect(prices).toMatchObject([{ type: "single_course", currency: "EUR" }]);
    expect(Number(prices[0].price)).toBe(49.9);
    await r.run(["courses", "update", mine, "--set", "prices=null"]);
    await r.run(["courses", "ls", "--all", "--out", "courses.xlsx"]);
    await saveInLibreOffice(r, type("52.395"));
    const refused = await r.run(["courses", "push", "courses.xlsx"]);
    expect([refused.code, changesOf(refused.requests)]).toEqual([3, []]);
    expect(refused.stderr).toContain("[amount-decimals]");
  }, 180_000);

  test("a CSV in which LibreOffice replaced letters by question marks is refused, with nothing sent", async () => {
    const { r } = await exported();
    // Separator, quotation mark, and the number of Windows-1252.
    const csv = "csv:Text - txt - csv (StarCalc):44,34,1";
    await saveInLibreOffice(r, (xml) => xml.replace("</office:body>", "\n</office:body>"), csv);
    const ran = await r.run(["courses", "push", "courses.csv"]);
    expect([ran.code, changesOf(ran.requests)]).toEqual([3, []]);
    expect(ran.stderr).toContain("[lost-characters]");
  }, 120_000);
});
