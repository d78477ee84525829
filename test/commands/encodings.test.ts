/** Encodings of CSV files: which ones are read, with which notice, and which ones are refused. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { encodeWindows1252 } from "../../src/course/text-rules.ts";
import { course, PROVIDER_ID, rig } from "../rig.ts";

const HEADER = "name;url;short_description;long_description;audio;provider_id;pace";

function table(text: string): string {
  const url = "https://academy.example/a";
  return `${HEADER}\r\n${text};${url};Short;Long;de;${PROVIDER_ID};self_paced\r\n`;
}

function utf16(text: string, isBigEndian = false): Buffer {
  const bytes = Buffer.from(`\ufeff${text}`, "utf16le");
  return isBigEndian ? bytes.swap16() : bytes;
}

/** A table of names, of which the last one is written in hexadecimal digits. */
function names(text: string, hex: string): Buffer {
  return Buffer.concat([Buffer.from(`name\n${text}`), Buffer.from(hex, "hex")]);
}

async function importNames(bytes: Uint8Array, file = "c.csv", ...flags: string[]) {
  const r = await rig();
  await r.write(file, bytes);
  const ran = await r.run(["courses", "import", file, "--format", "json", ...flags]);
  const courses = ran.stdout === "" ? [] : JSON.parse(ran.stdout);
  return { ...ran, names: courses.map(({ name }: { name: string }) => name) };
}

test.each(["c.yaml", "c.json"])(
  "check reads %s in UTF-16 with a byte order mark, and leaves it unchanged",
  async (name) => {
    for (const isBigEndian of [false, true]) {
      const r = await rig();
      const bytes = utf16(JSON.stringify(course({ name: "Für Köche" })), isBigEndian);
      await r.write(name, bytes);
      const checked = await r.run(["courses", "check", name]);
      expect([checked.code, checked.stderr]).toEqual([0, `${name}: read as UTF-16.\n`]);
      const pushed = await r.run(["courses", "push", name, "--write-ids"]);
      expect(pushed.stderr).toContain("the file is not UTF-8 text");
      expect(await readFile(join(r.folder, name))).toEqual(bytes);
    }
  },
);

test.each([
  ["shift_jis", names("", "8363836d83472097bf979d"), "ツノエ 料理"],
  ["gb18030", names("", "d6d0b9fa"), "中国"],
  ["windows-1250", names("", "bfaff3b3e6"), "żŻółć"],
  ["latin1", names("", "80e4"), "€ä"],
  ["utf-8", names("ä\n", ""), "ä"],
])("import --encoding %s reads a CSV file in that encoding", async (label, bytes, name) => {
  const { names, stderr } = await importNames(bytes, "c.csv", "--encoding", label);
  expect(names).toEqual([name]);
  expect(stderr).not.toContain("read as");
});

test("check, diff and push also read CSV files in Windows-1252, but no YAML in Windows-1252", async () => {
  const r = await rig();
  await r.write("c.csv", encodeWindows1252(table("Für Köche")) ?? Buffer.of());
  for (const command of ["check", "diff", "push"]) {
    const ran = await r.run(["courses", command, "c.csv"]);
    expect(ran).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("read as Windows-1252"),
    });
  }
  const { stdout } = await r.run("courses ls --json --fields name");
  expect(JSON.parse(stdout)).toEqual([{ name: "Für Köche" }]);
  await r.write("c.yaml", Buffer.from("name: K\u00f6che\n", "latin1"));
  const yaml = await r.run("courses check c.yaml");
  expect(yaml).toMatchObject({ code: 3 });
  expect(yaml.stdout).toContain(
    "c.yaml:1:8: error: the text is not UTF-8: save it as UTF-8 [encoding]",
  );
});
