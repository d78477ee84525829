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

/** A rig whose catalog has real courses, all or the first ones, with a workbook of them. */
async function exported(
  count?: number,
): Promise<{ readonly r: Rig; readonly ids: readonly string[] }> {
  const file = new URL("../real-courses/providers.ndjson", import.meta.url);
  const providers = lines(await readFile(file, "utf8")).map((line): Provider => JSON.parse(line));
  const r = await rig({ seed: { users: [{ key: DEFAULT_KEY, providers, courses: [] }] } });
  await r.write("all.json", realCourses(count));
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

/** Saves the workbook in LibreOffice after each change of its flat XML, as files with these names. */
async function saveInLibreOffice(
  r: Rig,
  changes: Readonly<Record<string, (xml: string) => string>>,
  to = "xlsx",
): Promise<void> {
  const convert = (files: readonly string[], format: string): void => {
    const home = `-env:UserInstallation=file://${profile}`;
    const words = [home, "--headless", "--convert-to", format, "--outdir", ".", ...files];
    execFileSync("soffice", words, { cwd: r.folder, stdio: "ignore" });
  };
  convert(["courses.xlsx"], "fods");
  const xml = await r.read("courses.fods");
  const files = Object.entries(changes).map(([name, change]) => ({ name, text: change(xml) }));
  for (const { name, text } of files) {
    expect(text).not.toBe(xml);
    await r.write(`${name}.fods`, text);
  }
  convert(
    files.map(({ name }) => `${name}.fods`),
    to,
  );
}

describe.runIf(IS_LONG && isInstalled("soffice"))("with LibreOffice, where it is installed", () => {
  test("one edited cell of hundreds of real courses is one PATCH of one field, and a colleague's changes stay", async () => {
    const { r, ids } = await exported();
    const [mine = "", theirs = ""] = ids;
    await r.run(["courses", "update", mine, "--short-description", "By a colleague."]);
    await r.run(["courses", "update", theirs, "--name", "By a colleague"]);
    const { name } = JSON.parse((await r.run(["courses", "get", mine, "--json"])).stdout);
    // The first sheet is the visible one.
    await saveInLibreOffice(r, {
      edited: (xml) => xml.replace(`>${name}<`, ">Edited in LibreOffice<"),
    });
    const ran = await r.run("courses push edited.xlsx");
    expect([ran.code, writeRequests(ran)]).toEqual([0, [expect.stringMatching(/^PATCH/)]]);
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
    const { r, ids } = await exported(20);
    const [mine = ""] = ids;
    const { name } = JSON.parse((await r.run(["courses", "get", mine, "--json"])).stdout);
    const type = (xml: string, amount: string): string => {
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
    await saveInLibreOffice(r, {
      priced: (xml) => type(xml, "49.9"),
      refused: (xml) => type(xml, "52.395"),
    });
    const ran = await r.run("courses push priced.xlsx");
    expect([ran.code, writeRequests(ran)]).toEqual([0, [expect.stringMatching(/^PATCH/)]]);
    const { prices } = JSON.parse((await r.run(["courses", "get", mine, "--json"])).stdout);
    expect(prices).toMatchObject([{ type: "single_course", currency: "EUR" }]);
    expect(Number(prices[0].price)).toBe(49.9);
    const refused = await r.run("courses push refused.xlsx");
    expect([refused.code, writeRequests(refused)]).toEqual([3, []]);
    expect(refused.stderr).toContain("[amount-decimals]");
  }, 180_000);

  test("a CSV in which LibreOffice replaced letters by question marks is refused, with nothing sent", async () => {
    const { r } = await exported();
    // Separator, quotation mark, and the number of Windows-1252.
    const csv = "csv:Text - txt - csv (StarCalc):44,34,1";
    const change = (xml: string) => xml.replace("</office:body>", "\n</office:body>");
    await saveInLibreOffice(r, { saved: change }, csv);
    const ran = await r.run("courses push saved.csv");
    expect([ran.code, writeRequests(ran)]).toEqual([3, []]);
    expect(ran.stderr).toContain("[lost-characters]");
  }, 120_000);
});
