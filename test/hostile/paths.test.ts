/** Hostile paths and names: pipes, devices, circular links, control characters. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { lines } from "../commands/helpers.ts";
import { type Rig, rig } from "../rig.ts";

/** A line of a stack trace. */
const STACK = /^\s+at .*[:(]/m;

/** Runs a check that ends with this exit code. @returns the output of both streams */
async function runCheck(r: Rig, paths: readonly string[], expected: 2 | 3): Promise<string> {
  const { code, stdout, stderr } = await r.run(["courses", "check", ...paths]);
  const output = stdout + stderr;
  expect({ code, output }).toMatchObject({ code: expected });
  expect(output).not.toMatch(STACK);
  return output;
}

/** Each creates something other than a file: a pipe without a writer, a socket, a device. */
const NO_FILES: readonly ((path: string) => Promise<void>)[] = [
  async (path) => void spawnSync("mkfifo", [path]),
  async (path) => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(path, resolve));
    onTestFinished(() => new Promise((resolve) => server.close(() => resolve())));
  },
  async (path) => await symlink("/dev/zero", path),
];

describe.skipIf(process.platform === "win32" || !existsSync("/dev/zero"))(
  "paths that are not files",
  () => {
    test("check rejects a path that is neither a file nor a folder, and skips such entries of a folder", async () => {
      const r = await rig();
      const { folder } = r;
      for (const [index, make] of NO_FILES.entries()) {
        await mkdir(join(folder, String(index)));
        await make(join(folder, String(index), "a.yaml"));
      }
      const folders = NO_FILES.map((_, index) => String(index));
      const paths = [...folders.map((name) => `${name}/a.yaml`), "/dev/zero"];
      const refused = await runCheck(r, paths, 3);
      for (const path of paths) {
        expect(refused).toContain(
          `error: cannot read ${path}: it is not a regular file [unreadable]`,
        );
      }
      const left = await runCheck(r, folders, 3);
      for (const name of folders) expect(left).toContain(`error: ${name} contains no course`);
    });
  },
);

test("check rejects circular and broken links if they are given, and skips them in a folder with a warning", async () => {
  const r = await rig();
  const { folder } = r;
  for (const name of ["circle", "nothing", "out"]) await mkdir(join(folder, name));
  await symlink("self.yaml", join(folder, "circle/self.yaml"));
  await symlink(".", join(folder, "circle/loop"));
  await symlink("..", join(folder, "circle/up.yaml"));
  await symlink("nowhere", join(folder, "nothing/a.yaml"));
  await r.write("secret.yaml", "name: 1\nurl: 2\n");
  await symlink(join(folder, "secret.yaml"), join(folder, "out/a.yaml"));

  const output = await runCheck(r, ["circle/self.yaml", "nothing/a.yaml"], 3);
  expect(output).toMatch(/circle\/self\.yaml: too many symbolic links encountered \[unreadable\]/);
  expect(output).toMatch(/nothing\/a\.yaml: no such file/);
  const none = await runCheck(r, ["circle", "nothing", "out"], 3);
  for (const name of ["circle", "nothing", "out"]) {
    expect(none).toContain(`error: ${name} contains no course`);
  }
  await writeFile(join(folder, "circle/a.yaml"), "name: 1\nurl: 2\n");
  const checked = lines(await runCheck(r, ["circle"], 3));
  expect(checked.filter((line) => line.includes("[not-read]"))).toEqual([
    "circle/self.yaml:1:1: warning: not read, because it is neither a file nor a link to one in the folder [not-read]",
    "circle/up.yaml:1:1: warning: not read, because it is neither a file nor a link to one in the folder [not-read]",
  ]);
  const errors = checked.filter((line) => line.includes(": error: "));
  expect(errors.length).toBeGreaterThan(1);
  // The file is checked once, although the circular link contains it, too.
  expect(errors.filter((line) => !line.startsWith("circle/a.yaml:"))).toEqual([]);
  expect(new Set(errors).size).toBe(errors.length);
});

test.skipIf(process.platform !== "linux")("check escapes hostile names of files", async () => {
  const r = await rig();
  const { folder } = r;
  const long = `${"x".repeat(250)}.yaml`;
  const names = [
    "a\nb: error.yaml",
    "\u001b[31mred.yaml",
    "\u202egnp.yaml",
    "%0A::error::x.yaml",
    long,
  ];
  for (const name of names) await writeFile(join(folder, name), "name: 1\nurl: 2\n");
  const paths = Buffer.concat([
    Buffer.from(`${folder}/`),
    Buffer.from([0xff]),
    Buffer.from(".yaml"),
  ]);
  await writeFile(paths, "name: 1\nurl: 2\n");

  const said = await runCheck(r, ["."], 3);
  const shown = [
    "a\\nb: error.yaml",
    "\\x1b[31mred.yaml",
    "\\u202egnp.yaml",
    "%0A::error::x.yaml",
    long,
  ];
  for (const name of shown) expect(said).toContain(`\n${name}:1:7: error: `);
  // A name that is not UTF-8 is reported, and the other files are checked.
  expect(said).toMatch(/\ufffd\.yaml: no such file or directory/);
  expect(said).not.toContain("\u001b");
  expect(said).not.toContain("\u202e");

  const github = await runCheck(r, [".", "-o", "github"], 3);
  expect(
    lines(github).filter((line) => !/^(::(error|warning) file=|error: | {2})/.test(line)),
  ).toEqual([]);
  expect(github).toContain("file=a%0Ab%3A error.yaml,");
  expect(github).toContain("file=%250A%3A%3Aerror%3A%3Ax.yaml,");
});
