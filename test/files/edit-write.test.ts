import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { type Destination, destinationIn } from "../../src/base/atomic-write.ts";
import { editCourses, rewriteFile } from "../../src/files/edit.ts";
import { formatOf, parseAs } from "../../src/files/parse.ts";
import { findCourses } from "../../src/files/parsed.ts";
import { newFolder } from "../folder.ts";

/** The id of the course of a file with an index. */
const idOf = (index: number): string =>
  `1b4e28ba-2fa1-4d1e-883f-${String(index).padStart(12, "0")}`;

const ID = idOf(0);

/** Creates a folder with one file. */
async function fileOf(name: string, content: string | Uint8Array) {
  const folder = await newFolder();
  await writeFile(join(folder, name), content);
  return { folder, file: destinationIn(folder, name) };
}

/** Adds an id to each course of a file. @param read the text of the file when it was read */
async function writeIds(file: Destination, read?: string): Promise<void> {
  const text = read ?? (await readFile(file.path, "utf8"));
  const replacements = findCourses(await parseAs(formatOf(file.path), text)).map(
    ({ value: old }, index) => ({ index, old, wanted: { ...(old as object), id: idOf(index) } }),
  );
  await rewriteFile(file, (now, format) => editCourses(now, format, replacements), false);
}

test("writeIds keeps the byte order mark, line endings and mode of a file and leaves no temporary file", async () => {
  const { folder, file } = await fileOf("a.yaml", "\ufeff# c\r\nurl: u\r\n");
  await chmod(file.path, 0o640);
  await writeIds(file);
  expect(await readFile(file.path, "utf8")).toBe(`\ufeff# c\r\nid: ${ID}\r\nurl: u\r\n`);
  expect((await stat(file.path)).mode & 0o7777).toBe(0o640);
  expect(await readdir(folder)).toEqual(["a.yaml"]);
});

test("writeIds is quick after a long text that looks like tags and anchors", async () => {
  const long = `long_description: "${"! &a ".repeat(30_000)}"\n`;
  const { file } = await fileOf("a.yaml", `- ${long}`);
  await writeIds(file);
  expect(await readFile(file.path, "utf8")).toBe(`- id: ${ID}\n  ${long}`);
});

describe("files that stay unchanged", () => {
  const CHANGED = /^cannot write a\.yaml: the file has changed since catalog read it$/;
  const ALIASED = "- &a\n  url: u\n- *a\n";

  test.each<[what: string, change: (path: string) => Promise<void>, message: RegExp]>([
    ["it was changed since it was read", (path) => writeFile(path, "url: v\n"), CHANGED],
    ["it is no longer UTF-8", (path) => writeFile(path, Buffer.of(0xe9)), /is not UTF-8 text$/],
    ["it was deleted", (path) => rm(path), /no such file/],
    [
      "it is a folder now",
      async (path) => {
        await rm(path);
        await mkdir(path);
      },
      /is a folder|not a regular file/,
    ],
  ])("writeIds changes nothing and says why if %s", async (_, change, message) => {
    const { file } = await fileOf("a.yaml", "url: u\n");
    await change(file.path);
    const before = await readFile(file.path).catch(String);
    await expect(writeIds(file, "url: u\n")).rejects.toThrow(message);
    expect(await readFile(file.path).catch(String)).toEqual(before);
  });

  test("writeIds leaves a file named .JSON unchanged if it now contains YAML", async () => {
    const { file } = await fileOf("a.JSON", "url: u\n");
    await expect(writeIds(file, '{"url": "u"}')).rejects.toThrow(/: the file has changed since/);
  });

  test("writeIds leaves a file unchanged if an alias prevents the edit, and reports the position", async () => {
    const { file } = await fileOf("a.yaml", ALIASED);
    await expect(writeIds(file)).rejects.toMatchObject({
      kind: "output",
      message: "cannot write a.yaml: catalog cannot edit this layout: it has no place for a value",
      facts: { line: 3, column: 3, advice: "Edit the file yourself." },
    });
    expect(await readFile(file.path, "utf8")).toBe(ALIASED);
  });

  test("rewriteFile does not write an edit if the file changes during the edit", async () => {
    const { file } = await fileOf("a.yaml", "url: u\n");
    const edit = async () => {
      await writeFile(file.path, "url: theirs\n");
      return { text: "url: ours\n", rewritten: [] };
    };
    await expect(rewriteFile(file, edit, false)).rejects.toMatchObject({
      message: expect.stringMatching(CHANGED),
      facts: { file: "a.yaml", advice: "Run the command again." },
    });
    expect(await readFile(file.path, "utf8")).toBe("url: theirs\n");
  });

  test.skipIf(process.getuid?.() === 0).each([
    ["the folder", "."],
    ["the file itself", "a.yaml"],
  ])("writeIds leaves a file unchanged if %s is read-only", async (_, protectedPath) => {
    const { folder, file } = await fileOf("a.yaml", "url: u\n");
    await chmod(join(folder, protectedPath), 0o555);
    onTestFinished(() => chmod(join(folder, protectedPath), 0o755));
    await expect(writeIds(file)).rejects.toMatchObject({
      kind: "output",
      message: "cannot write a.yaml: permission denied",
      facts: { file: "a.yaml", code: "EACCES" },
    });
    expect(await readFile(file.path, "utf8")).toBe("url: u\n");
    expect(await readdir(folder)).toEqual(["a.yaml"]);
  });
});
