/** Workbooks that try to exhaust time or memory, or to write their own lines into a log. */
import { describe, expect, test } from "vitest";
import { course, rig } from "../rig.ts";
import { pack, rowXml, workbookParts } from "../workbooks.ts";

const COURSE = course({ name: "Knitting" });
const NAMES = Object.keys(COURSE);
const CELLS = Object.values(COURSE).map((value) =>
  typeof value === "string" ? value : JSON.stringify(value),
);

async function checkParts(parts: Readonly<Record<string, string>>) {
  const r = await rig();
  await r.write("c.xlsx", pack(parts));
  const { code, stdout, stderr } = await r.run(["courses", "check", "c.xlsx"]);
  return { code, stdout, stderr };
}

describe("hostile workbooks", () => {
  test("check refuses a workbook with a million nested elements", async () => {
    const { code, stderr } = await checkParts(workbookParts("<a>".repeat(1_000_000)));
    expect(code).toBe(3);
    expect(stderr).toContain("it has too many nested elements");
  });

  test("check accepts a workbook with a number format of a million characters in 1,000 styles", async () => {
    const code = `0${"[".repeat(1_000_000)}`;
    const formats = `<numFmts><numFmt numFmtId="200" formatCode="${code}"/></numFmts>`;
    const styles = `<cellXfs>${'<xf numFmtId="200"/>'.repeat(1000)}</cellXfs>`;
    const parts = workbookParts(rowXml(1, NAMES) + rowXml(2, CELLS));
    const found = await checkParts({
      ...parts,
      "xl/styles.xml": `<styleSheet>${formats}${styles}</styleSheet>`,
    });
    expect(found).toMatchObject({ code: 0 });
  });

  test("check names only valid merged areas, so that an area cannot add a line to the log", async () => {
    const areas = ["A2&#10;::error::no:B3", `${"A1:".repeat(1000)}B3`, "A2:B3"];
    const merged = areas.map((area) => `<mergeCell ref="${area}"/>`).join("");
    const data = rowXml(1, NAMES) + rowXml(2, CELLS);
    const { stderr } = await checkParts(workbookParts(data, `<mergeCells>${merged}</mergeCells>`));
    expect(stderr).toBe(
      "c.xlsx: only the first of merged cells has a value: unmerge A2:B3, and fill in the other cells.\n",
    );
  });

  test("check refuses a workbook with a row number that is no integer", async () => {
    const row = `<row r="2.5"><c r="A2"><v>1</v></c></row>`;
    const { code, stderr } = await checkParts(workbookParts(rowXml(1, NAMES) + row));
    expect(code).toBe(3);
    expect(stderr).toContain("a cell has no valid position");
  });
});
