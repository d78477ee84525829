/** Workbooks that try to exhaust time or memory, or to write their own lines into a log. */
import { expect, test } from "vitest";
import { course, rig } from "../rig.ts";
import { pack, rowXml, stylesXml, workbookParts } from "../workbooks.ts";

const COURSE = course({ name: "Knitting" });
const NAMES = Object.keys(COURSE);
const CELLS = Object.values(COURSE).map((value) =>
  typeof value === "string" ? value : JSON.stringify(value),
);

async function checkParts(parts: Readonly<Record<string, string>>) {
  const r = await rig();
  await r.write("c.xlsx", pack(parts));
  const { code, stdout, stderr } = await r.run("courses check c.xlsx");
  return { code, stdout, stderr };
}

test("check accepts a workbook with a number format of a million characters in 1,000 styles", async () => {
  const code = `0${"[".repeat(1_000_000)}`;
  const styles = stylesXml(164, code).replace("<xf", `${'<xf numFmtId="164"/>'.repeat(1000)}<xf`);
  const parts = workbookParts(rowXml(1, NAMES) + rowXml(2, CELLS));
  expect(await checkParts({ ...parts, "xl/styles.xml": styles })).toMatchObject({ code: 0 });
});
