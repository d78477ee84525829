/** Hostile paths and names: pipes, devices, circular links, control characters. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
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

test.skipIf(process.platform === "win32" || !existsSync("/dev/zero"))(
  "check rejects a pipe, a socket and a device that are named, and skips them in a folder",
  async () => {
    const r = await rig();
    for (const name of ["pipe", "socket", "device"]) await mkdir(join(r.folder, name));
    spawnSync("mkfifo", [join(r.folder, "pipe/a.yaml")]);
    await symlink("/dev/zero", join(r.folder, "device/a.yaml"));
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(join(r.folder, "socket/a.yaml"), resolve));
    onTestFinished(() => new Promise((resolve) => server.close(() => resolve())));
    const paths = ["pipe/a.yaml", "socket/a.yaml", "device/a.yaml", "/dev/zero"];
    const refused = await runCheck(r, paths, 3);
    for (const path of paths) {
      expect(refused).toContain(
        `error: cannot read ${path}: it is not a regular file [unreadable]`,
      );
    }
    const left = await runCheck(r, ["pipe", "socket", "device"], 3);
    for (const name of ["pipe", "socket", "device"]) {
      expect(left).toContain(`error: ${name} contains no course`);
    }
  },
);

test("check rejects circular and broken links that are named, and reads a folder with a circle once", async () => {
  const r = await rig();
  for (const name of ["circle", "nothing"]) await mkdir(join(r.folder, name));
  await symlink("self.yaml", join(r.folder, "circle/self.yaml"));
  await symlink(".", join(r.folder, "circle/loop"));
  await symlink("..", join(r.folder, "circle/up.yaml"));
  await symlink("nowhere", join(r.folder, "nothing/a.yaml"));
  const output = await runCheck(r, ["circle/self.yaml", "nothing/a.yaml"], 3);
  expect(output).toMatch(/circle\/self\.yaml: too many symbolic links encountered \[unreadable\]/);
  expect(output).toMatch(/nothing\/a\.yaml: no such file/);
  await r.write("circle/a.yaml", "name: 1\nurl: 2\n");
  const checked = lines(await runCheck(r, ["circle"], 3));
  const notRead =
    "not read, because it is neither a file nor a link to one in the folder [not-read]";
  expect(checked.filter((line) => line.includes("[not-read]"))).toEqual([
    `circle/self.yaml:1:1: warning: ${notRead}`,
    `circle/up.yaml:1:1: warning: ${notRead}`,
  ]);
  const errors = checked.filter((line) => line.includes(": error: "));
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
  const paths = Buffer.from(`${folder}/\xff.yaml`, "latin1");
  await writeFile(paths, "name: 1\nurl: 2\n");

  const said = await runCheck(r, ["."], 3);
  const shown = names.map((name) =>
    name.replace("\n", "\\n").replace("\u001b", "\\x1b").replace("\u202e", "\\u202e"),
  );
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
