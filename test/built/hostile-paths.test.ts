/** Paths and names that mean harm: pipes, devices, links in circles, what a terminal would obey. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { checked } from "./hostile.ts";
import { ESCAPE, linesOf, newFile, newFolder } from "./rig.ts";

describe("what is no file", () => {
  const pipe = async (name: string): Promise<{ folder: string; path: string }> => {
    const folder = await newFolder();
    spawnSync("mkfifo", [join(folder, name)]);
    return { folder, path: join(folder, name) };
  };
  const hasPipes = process.platform !== "win32" && spawnSync("mkfifo", ["--version"]).status === 0;

  test.skipIf(!hasPipes)(
    "a pipe without a writer is refused, and left out of a folder",
    async () => {
      const { folder, path } = await pipe("a.yaml");
      expect(await checked([path], 3)).toMatch(
        /a\.yaml is neither a file nor a folder \[unreadable\]/,
      );
      expect(await checked([folder], 2)).toContain(`${folder} holds no course file`);
    },
  );

  test.skipIf(process.platform === "win32")("a socket is refused, and left out", async () => {
    const folder = await newFolder();
    const path = join(folder, "a.yaml");
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(path, resolve));
    onTestFinished(() => new Promise((resolve) => server.close(() => resolve())));
    expect(await checked([path], 3)).toMatch(/neither a file nor a folder \[unreadable\]/);
    expect(await checked([folder], 2)).toContain(`${folder} holds no course file`);
  });

  test.skipIf(!existsSync("/dev/zero"))("a device is refused, also behind a link", async () => {
    const folder = await newFolder();
    await symlink("/dev/zero", join(folder, "a.yaml"));
    expect(await checked(["/dev/zero"], 3)).toContain("/dev/zero is neither a file nor a folder");
    expect(await checked([join(folder, "a.yaml")], 3)).toMatch(/neither a file nor a folder/);
    expect(await checked([folder], 2)).toContain(`${folder} holds no course file`);
  });

  test("a folder named like a file is looked into", async () => {
    const folder = await newFolder();
    await mkdir(join(folder, "x.yaml"));
    expect(await checked([join(folder, "x.yaml")], 2)).toMatch(/x\.yaml holds no course file/);
    expect(await checked([folder], 2)).toContain(`${folder} holds no course file`);
    await writeFile(join(folder, "x.yaml", "b.yaml"), "name: 1\n");
    expect(await checked(["x.yaml"], 3, { folder })).toMatch(
      /^x\.yaml\/b\.yaml:1:7: error: .*\[type\]$/m,
    );
  });

  test("links that lead in a circle end", async () => {
    const folder = await newFolder();
    await symlink("self.yaml", join(folder, "self.yaml"));
    await symlink(".", join(folder, "loop"));
    await symlink("..", join(folder, "up.yaml"));
    expect(await checked([join(folder, "self.yaml")], 3)).toMatch(
      /lead in a circle \[unreadable\]/,
    );
    expect(await checked([folder], 2)).toContain(`${folder} holds no course file`);
    await writeFile(join(folder, "a.yaml"), "name: 1\n");
    expect(await checked([folder], 3)).toMatch(/in 1 of 1 file$/m);
  });

  test("links to nothing are told where they are named, and left out of a folder", async () => {
    const folder = await newFolder();
    await symlink("nowhere", join(folder, "a.yaml"));
    expect(await checked([join(folder, "a.yaml")], 3)).toMatch(/a\.yaml: there is no such file/);
    expect(await checked([folder], 2)).toContain(`${folder} holds no course file`);
  });

  test("a link out of a folder is left out of it", async () => {
    const path = await newFile("secret.yaml", "name: 1\n");
    const folder = await newFolder();
    await symlink(path, join(folder, "a.yaml"));
    expect(await checked([folder], 2)).toContain(`${folder} holds no course file`);
  });

  test.skipIf(process.getuid?.() === 0)("what may not be read is told by its name", async () => {
    const path = await newFile("a.yaml", "name: 1\n");
    const folder = dirname(path);
    await mkdir(join(folder, "closed"));
    await chmod(path, 0o000);
    await chmod(join(folder, "closed"), 0o000);
    const said = await checked([folder], 3);
    expect(said).toMatch(/a\.yaml: it may not be read \[unreadable\]/);
    expect(said).toMatch(/closed: it may not be read \[unreadable\]/);
  });

  test("no path at all is no course", async () => {
    await checked([""], 2, { folder: await newFolder() });
  });
});

describe("names", () => {
  test.skipIf(process.platform !== "linux")("that a terminal or a log could mistake", async () => {
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

    const said = await checked(["."], 3, { folder });
    const shown = [
      "a\\nb: error.yaml",
      "\\x1b[31mred.yaml",
      "\\u202egnp.yaml",
      "%0A::error::x.yaml",
      long,
    ];
    for (const name of shown) expect(said).toContain(`\n${name}:1:7: error: `);
    // A name that is no text stands for no file; it is told, and the others are checked all the same.
    expect(said).toMatch(/\ufffd\.yaml/);
    expect(said).not.toContain(ESCAPE);
    expect(said).not.toContain("\u202e");

    const github = await checked([".", "--format", "github"], 3, { folder });
    expect(
      linesOf(github).filter((line) => !/^(::(error|warning) file=|error: | {2})/.test(line)),
    ).toEqual([]);
    expect(github).toContain("file=a%0Ab%3A error.yaml,");
    expect(github).toContain("file=%250A%3A%3Aerror%3A%3Ax.yaml,");
  });

  test.skipIf(process.platform === "win32")("of a folder that is 3,000 levels deep", async () => {
    const folder = await newFolder();
    const script = `for (let level = 0; level < 3000; level++) {
      fs.mkdirSync("d");
      process.chdir("d");
      if (level === 9 || level === 2999) fs.writeFileSync("a.yaml", "name: 1\\n");
    }`;
    // Only relative steps reach as deep, and only rm takes them on its way back.
    onTestFinished(() => void spawnSync("rm", ["-rf", join(folder, "d")]));
    expect(spawnSync(process.execPath, ["-e", script], { cwd: folder }).status).toBe(0);
    // The names alone are a dozen megabytes, each joined to the one before it.
    const said = await checked(["d"], 3, { folder, most: 500 });
    expect(said).toMatch(/^(d\/){10}a\.yaml:1:7: error: .*\[type\]$/m);
    expect(said).toMatch(/could not read (d\/)+d: the name is too long \[unreadable\]/);
  });
});
