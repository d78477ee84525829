/** Encodings of course files: which ones are read, with which notice, and which ones are refused. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { encodeWindows1252 } from "../../src/course/text-rules.ts";
import { course, rig } from "../rig.ts";
import { importIn } from "./import-rig.ts";

test.each(["utf16le", "utf16be"])(
  "check reads a file in UTF-16 with a byte order mark, and leaves it unchanged: %s",
  async (encoding) => {
    const r = await rig();
    const bytes = Buffer.from(`\ufeff${JSON.stringify(course({ name: "Für Köche" }))}`, "utf16le");
    if (encoding === "utf16be") bytes.swap16();
    await r.write("c.yaml", bytes);
    const checked = await r.run("courses check c.yaml");
    expect([checked.code, checked.stderr]).toEqual([0, "c.yaml: read as UTF-16.\n"]);
    const pushed = await r.run("courses push c.yaml --write-ids");
    expect(pushed.stderr).toContain("the file is not UTF-8 text");
    expect(await readFile(join(r.folder, "c.yaml"))).toEqual(bytes);
  },
);

test.each([
  ["shift_jis", "8363836d83472097bf979d", "ツノエ 料理"],
  ["gb18030", "d6d0b9fa", "中国"],
  ["windows-1250", "bfaff3b3e6", "żŻółć"],
  ["latin1", "80e4", "€ä"],
  ["utf-8", "c3a4", "ä"],
])("import --encoding %s reads a CSV file in that encoding", async (label, hex, name) => {
  const bytes = Buffer.concat([Buffer.from("name\n"), Buffer.from(hex, "hex")]);
  const ran = await importIn({ "c.csv": bytes }, `c.csv --format json --encoding ${label}`);
  expect(JSON.parse(ran.stdout)).toEqual([{ name }]);
  expect(ran.stderr).not.toContain("read as");
});

test("check, diff and push also read CSV files in Windows-1252, but no YAML in Windows-1252", async () => {
  const r = await rig();
  const fields = course({ name: "Für Köche", audio: "de" });
  const table = `${Object.keys(fields).join(";")}\r\n${Object.values(fields).join(";")}\r\n`;
  await r.write("c.csv", encodeWindows1252(table) ?? "");
  for (const command of ["check", "diff", "push"]) {
    const ran = await r.run(["courses", command, "c.csv"]);
    expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining("read as Windows-1252")]);
  }
  expect((await r.run("courses ls --fields name")).stdout).toBe("Für Köche\n");
  await r.write("c.yaml", Buffer.from("name: K\u00f6che\n", "latin1"));
  const yaml = await r.run("courses check c.yaml");
  const refused = "c.yaml:1:8: error: the text is not UTF-8: save it as UTF-8 [encoding]";
  expect([yaml.code, yaml.stdout]).toEqual([3, expect.stringContaining(refused)]);
});
