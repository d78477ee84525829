/** Hostile paths and names: pipes, devices, circular links, control characters. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { IS_LONG } from "../long.ts";
import { runCheck } from "./hostile.ts";
import { ESCAPE, linesOf, newFile, newFolder } from "./rig.ts";

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
  "built program: a path that is not a file",
  () => {
    test("is rejected if it is given, and skipped in a folder", async () => {
      const folder = await newFolder();
      for (const [index, make] of NO_FILES.entries()) {
        await mkdir(join(folder, String(index)));
        await make(join(folder, String(index), "a.yaml"));
      }
      const folders = NO_FILES.map((_, index) => String(index));
      const paths = [...folders.map((name) => `${name}/a.yaml`), "/dev/zero"];
      const refused = await runCheck(paths, 3, { folder });
      for (const path of paths) {
        expect(refused).toContain(`error: ${path} is neither a file nor a folder [unreadable]`);
      }
      const left = await runCheck(folders, 2, { folder });
      for (const name of folders)
        expect(left).toContain(`error: the folder ${name} contains no course file`);
    });
  },
);

describe("built program: folders and links:", () => {
  test("a folder named like a file is searched", async () => {
    const folder = await newFolder();
    await mkdir(join(folder, "x.yaml/y.yaml"), { recursive: true });
    expect(await runCheck(["x.yaml"], 2, { folder })).toMatch(/x\.yaml contains no course file/);
    await writeFile(join(folder, "x.yaml", "b.yaml"), "name: 1\n");
    expect(await runCheck(["x.yaml"], 3, { folder })).toMatch(
      /^x\.yaml\/b\.yaml:1:7: error: .*\[type\]$/m,
    );
  });

  test("circular and broken links are errors if given, and not followed in a folder, with a warning", async () => {
    const folder = await newFolder();
    for (const name of ["circle", "nothing", "out"]) await mkdir(join(folder, name));
    await symlink("self.yaml", join(folder, "circle/self.yaml"));
    await symlink(".", join(folder, "circle/loop"));
    await symlink("..", join(folder, "circle/up.yaml"));
    await symlink("nowhere", join(folder, "nothing/a.yaml"));
    await symlink(await newFile("secret.yaml", "name: 1\n"), join(folder, "out/a.yaml"));

    const output = await runCheck(["circle/self.yaml", "nothing/a.yaml"], 3, { folder });
    expect(output).toMatch(/circle\/self\.yaml: too many levels of symbolic links \[unreadable\]/);
    expect(output).toMatch(/nothing\/a\.yaml: no such file/);
    const none = await runCheck(["circle", "nothing", "out"], 2, { folder });
    for (const name of ["circle", "nothing", "out"]) {
      expect(none).toContain(`error: the folder ${name} contains no course file`);
    }
    await writeFile(join(folder, "circle/a.yaml"), "name: 1\n");
    const checked = linesOf(await runCheck(["circle"], 3, { folder }));
    expect(checked.filter((line) => line.includes("[not-read]"))).toEqual([
      "circle/self.yaml:1:1: warning: not read, because it is a broken link [not-read]",
      "circle/up.yaml:1:1: warning: not read, because it is a link that leads out of the folder [not-read]",
    ]);
    const errors = checked.filter((line) => line.includes(": error: "));
    expect(errors.length).toBeGreaterThan(1);
    // The file is checked once, although the circular link contains it, too.
    expect(errors.filter((line) => !line.startsWith("circle/a.yaml:"))).toEqual([]);
    expect(new Set(errors).size).toBe(errors.length);
  });

  test.skipIf(process.getuid?.() === 0)(
    "an unreadable file is reported with its name",
    async () => {
      const path = await newFile("a.yaml", "name: 1\n");
      const folder = dirname(path);
      await mkdir(join(folder, "closed"));
      await chmod(path, 0o000);
      await chmod(join(folder, "closed"), 0o000);
      const said = await runCheck([folder], 3);
      expect(said).toMatch(/a\.yaml: permission denied \[unreadable\]/);
      expect(said).toMatch(/closed: permission denied \[unreadable\]/);
    },
  );

  test("an empty path is an error", async () => {
    await runCheck([""], 2, { folder: await newFolder() });
  });
});

describe("built program: names", () => {
  test.skipIf(process.platform !== "linux")("with control characters are escaped", async () => {
    const folder = await newFolder();
    const long = `${"x".repeat(250)}.yaml`;
    const names = [
      "a\nb: error.yaml",
      "\u001b[31mred.yaml",
      "\u202egnp.yaml",
      "%0A::error::x.yaml",
      long,
    ];
    for (const name of names) await writeFile(join(folder, name), "name: 1\n");
    const paths = Buffer.concat([
      Buffer.from(`${folder}/`),
      Buffer.from([0xff]),
      Buffer.from(".yaml"),
    ]);
    await writeFile(paths, "name: 1\n");

    const said = await runCheck(["."], 3, { folder });
    const shown = [
      "a\\nb: error.yaml",
      "\\x1b[31mred.yaml",
      "\\u202egnp.yaml",
      "%0A::error::x.yaml",
      long,
    ];
    for (const name of shown) expect(said).toContain(`\n${name}:1:7: error: `);
    // A name that is not UTF-8 is reported, and the other files are checked.
    expect(said).toMatch(/\ufffd\.yaml: its name is not UTF-8; rename it/);
    expect(said).not.toContain(ESCAPE);
    expect(said).not.toContain("\u202e");

    const github = await runCheck([".", "--format", "github"], 3, { folder });
    expect(
      linesOf(github).filter((line) => !/^(::(error|warning) file=|error: | {2})/.test(line)),
    ).toEqual([]);
    expect(github).toContain("file=a%0Ab%3A error.yaml,");
    expect(github).toContain("file=%250A%3A%3Aerror%3A%3Ax.yaml,");
  });

  test.runIf(IS_LONG && process.platform !== "win32")(
    "of folders 600 levels deep are supported",
    async () => {
      const folder = await newFolder();
      const script = `for (let level = 0; level < 600; level++) {
      fs.mkdirSync("ddddddd");
      process.chdir("ddddddd");
      if (level === 9 || level === 599) fs.writeFileSync("a.yaml", "name: 1\\n");
    }`;
      // Only relative paths reach that depth, and only rm can remove them.
      onTestFinished(() => void spawnSync("rm", ["-rf", join(folder, "ddddddd")]));
      expect(spawnSync(process.execPath, ["-e", script], { cwd: folder }).status).toBe(0);
      const said = await runCheck(["ddddddd"], 3, { folder });
      expect(said).toMatch(/^(d{7}\/){10}a\.yaml:1:7: error: .*\[type\]$/m);
      expect(said).toMatch(/cannot read (d{7}\/)+d{7}: the name is too long \[unreadable\]/);
    },
  );
});
