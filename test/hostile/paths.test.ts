/** Hostile paths and names: pipes, devices, circular links, control characters. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { lines } from "../commands/helpers.ts";
import { type Rig, rig } from "../rig.ts";
import { expectNoInternals } from "./service.ts";

/** Runs a check that finds errors. @returns the output of both streams */
async function runCheck(r: Rig, paths: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await r.run(["courses", "check", ...paths]);
  expect({ code, stderr }).toMatchObject({ code: 3 });
  expectNoInternals({ stderr });
  return stdout + stderr;
}

test.runIf(existsSync("/dev/zero"))(
  "check rejects a pipe, a socket and a device that are named",
  async () => {
    const r = await rig();
    spawnSync("mkfifo", [join(r.folder, "pipe.yaml")]);
    await symlink("/dev/zero", join(r.folder, "device.yaml"));
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(join(r.folder, "socket.yaml"), resolve));
    onTestFinished(() => new Promise((resolve) => server.close(() => resolve())));
    const paths = ["pipe.yaml", "socket.yaml", "device.yaml", "/dev/zero"];
    const refused = await runCheck(r, paths);
    for (const path of paths)
      expect(refused).toContain(`cannot read ${path}: it is not a regular file [unreadable]`);
  },
);

test("check rejects circular and broken links that are named", async () => {
  const r = await rig();
  await symlink("self.yaml", join(r.folder, "self.yaml"));
  await symlink("nowhere", join(r.folder, "a.yaml"));
  const output = await runCheck(r, ["self.yaml", "a.yaml"]);
  expect(output).toMatch(/self\.yaml: too many symbolic links encountered \[unreadable\]/);
  expect(output).toMatch(/a\.yaml: no such file/);
});

test.runIf(process.platform === "linux")("check escapes hostile names of files", async () => {
  const r = await rig();
  const names = ["a\nb: error.yaml", "\u001b[31mred.yaml", "\u202egnp.yaml", "%0A::error::x.yaml"];
  // A name that is not UTF-8 is reported, and the other files are checked.
  const broken = Buffer.from(`${r.folder}/\xff.yaml`, "latin1");
  for (const path of [broken, ...names.map((name) => join(r.folder, name))])
    await writeFile(path, "name: 1\nurl: 2\n");

  const said = await runCheck(r, ["."]);
  for (const name of ["a\\nb: error", "\\x1b[31mred", "\\u202egnp", "%0A::error::x"])
    expect(said).toContain(`\n${name}.yaml:1:7: error: `);
  expect(said).toMatch(/\ufffd\.yaml: no such file or directory/);
  for (const raw of ["\u001b", "\u202e"]) expect(said).not.toContain(raw);

  const github = await runCheck(r, [".", "-o", "github"]);
  const usual = /^(::(error|warning) file=|error: | {2})/;
  expect(lines(github).filter((line) => !usual.test(line))).toEqual([]);
  expect(github).toContain("file=a%0Ab%3A error.yaml,");
  expect(github).toContain("file=%250A%3A%3Aerror%3A%3Ax.yaml,");
});
