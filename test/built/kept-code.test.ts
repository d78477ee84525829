/** V8's code of a command, kept in the user's folder: it saves time, and changes nothing else. */

import { spawnSync } from "node:child_process";
import {
  chmod,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Ended, example, newFolder, runCatalog, serve, type Variables } from "./rig.ts";

const CHECK = ["courses", "check", example("one.yaml")];
const DONE = { code: 0, stdout: "1 file, 1 course: no problems\n" };

/** A user's home without a place for caches of its own. */
interface Home {
  readonly folder: string;
  run(words: readonly string[], environment?: Variables): Promise<Ended>;
  /** The folders of builds, and the files of the first. */
  kept(): Promise<{ readonly builds: string[]; readonly files: string[] }>;
}

async function home(): Promise<Home> {
  const folder = await newFolder();
  const place = join(folder, ".cache/catalog");
  return {
    folder,
    run: (words, environment = {}) =>
      runCatalog(words, { folder, environment: { XDG_CACHE_HOME: undefined, ...environment } }),
    kept: async () => {
      const builds = await readdir(place).catch(() => []);
      const [build] = builds;
      const files = build === undefined ? [] : await readdir(join(place, build));
      return { builds, files: files.map((file) => join(place, build ?? "", file)) };
    },
  };
}

/** The file that a first run of `check` makes. */
async function keptFile({ run, kept }: Home): Promise<string> {
  await run(CHECK);
  const [file = "", ...others] = (await kept()).files;
  expect(others).toEqual([]);
  return file;
}

test("a file a command is kept, for its owner alone, and used from then on", async () => {
  const user = await home();
  const file = await keptFile(user);
  expect(file).toMatch(/\/courses-check$/);
  for (const [path, mode] of [
    [file, 0o600],
    [join(file, ".."), 0o700],
    [join(file, "../.."), 0o700],
  ] as const) {
    expect((await stat(path)).mode & 0o777).toBe(mode);
  }
  // What V8 does not take back is written anew.
  const { ino } = await stat(file);
  expect(await user.run(CHECK)).toMatchObject(DONE);
  expect((await stat(file)).ino).toBe(ino);
});

test("that of a command that connects is used as well, whatever flags it runs under", async () => {
  const user = await home();
  const { environment } = await serve([]);
  const list = ["courses", "ls", "--json"];
  await user.run(list, environment);
  const [file = ""] = (await user.kept()).files;
  const { ino } = await stat(file);
  expect(await user.run(list, environment)).toMatchObject({ code: 0, stdout: "[]\n" });
  expect((await stat(file)).ino).toBe(ino);
});

test("a damaged file is made again, and never believed", async () => {
  const user = await home();
  const file = await keptFile(user);
  const good = await readFile(file);
  const half = good.length / 2;
  const damaged: Buffer[] = [Buffer.alloc(0), good.subarray(0, half), Buffer.alloc(good.length)];
  for (const place of [1, 20, 5000, 20_000, half - 100, half + 20, good.length - 9]) {
    const bytes = Buffer.from(good);
    bytes[place] = (bytes[place] ?? 0) ^ 4;
    damaged.push(bytes);
  }
  for (const bytes of damaged) {
    await writeFile(file, bytes);
    const { ino } = await stat(file);
    expect(await user.run(CHECK)).toMatchObject(DONE);
    expect((await stat(file)).ino).not.toBe(ino);
  }
});

test("what others may write to is not believed, and not written to", async () => {
  const user = await home();
  const file = await keptFile(user);
  for (const place of [join(file, ".."), join(file, "../.."), join(file, "../../..")]) {
    const good = await readFile(file);
    const { mode } = await stat(place);
    await chmod(place, 0o770);
    await writeFile(file, "damaged");
    expect(await user.run(CHECK)).toMatchObject(DONE);
    expect(await readFile(file, "utf8")).toBe("damaged");
    await chmod(place, mode);
    await writeFile(file, good);
  }
  await chmod(file, 0o666);
  expect(await user.run(CHECK)).toMatchObject(DONE);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

test("no link is followed, to a file or to a folder", async () => {
  const user = await home();
  const file = await keptFile(user);
  const other = join(user.folder, "other");
  await mkdir(other);
  await writeFile(join(other, "courses-check"), "a program of mine");
  for (const place of [join(file, ".."), join(file, "../..")]) {
    await rename(place, `${place}.kept`);
    await symlink(place.endsWith("catalog") ? user.folder : other, place);
    expect(await user.run(CHECK)).toMatchObject(DONE);
    await rm(place);
    await rename(`${place}.kept`, place);
  }
  expect(await readdir(other)).toEqual(["courses-check"]);
  await rm(file);
  await symlink(join(other, "courses-check"), file);
  expect(await user.run(CHECK)).toMatchObject(DONE);
  expect(await readFile(join(other, "courses-check"), "utf8")).toBe("a program of mine");
});

test("a pipe in the place of the file is not waited for", async () => {
  const user = await home();
  const file = await keptFile(user);
  await rm(file);
  spawnSync("mkfifo", [file]);
  expect(await user.run(CHECK)).toMatchObject(DONE);
});

test("a home that is no ordinary folder, or is somebody else's, gets nothing", async () => {
  const user = await home();
  expect(await user.run(CHECK, { HOME: "/proc" })).toMatchObject(DONE);
  const shared = await newFolder();
  await chmod(shared, 0o777);
  expect(await user.run(CHECK, { HOME: shared })).toMatchObject(DONE);
  expect(await readdir(shared)).toEqual([]);
});

test("nothing is kept of --version, of a wrong line, or of a run that fails", async () => {
  const user = await home();
  await user.run(["--version"]);
  await user.run(["courses", "chekc"]);
  await user.run(["courses", "check", "nothing.yaml"]);
  expect((await user.kept()).builds).toEqual([]);
});

test("nothing is kept in a CI job, where NODE_DISABLE_COMPILE_CACHE is set, or without a place", async () => {
  const user = await home();
  for (const environment of [
    { CI: "true" },
    { NODE_DISABLE_COMPILE_CACHE: "1" },
    { HOME: undefined },
    { HOME: "/dev/null" },
    { XDG_CACHE_HOME: "/dev/full" },
  ]) {
    expect(await user.run(CHECK, environment)).toMatchObject(DONE);
  }
  expect((await user.kept()).builds).toEqual([]);
});

test("what other builds kept goes after a month, and nothing else", async () => {
  const user = await home();
  const place = join(user.folder, ".cache/catalog");
  const month = 31 * 24 * 3600;
  await chmod(user.folder, 0o755);
  for (const [name, age] of [
    ["0123456789abcdef-11.3.244.8-node.38-x64", month],
    ["fedcba9876543210-11.3.244.8-node.38-x64", 0],
    ["my-courses", month],
  ] as const) {
    await mkdir(join(place, name), { recursive: true });
    await writeFile(join(place, name, "courses-check"), "old");
    const time = Date.now() / 1000 - age;
    await utimes(join(place, name), time, time);
  }
  await user.run(CHECK);
  const { builds } = await user.kept();
  expect(builds).toHaveLength(3);
  expect(builds).toEqual(
    expect.arrayContaining(["fedcba9876543210-11.3.244.8-node.38-x64", "my-courses"]),
  );
});

test("many that start at once each do their work, and leave one whole file", async () => {
  const user = await home();
  const all = await Promise.all(Array.from({ length: 8 }, () => user.run(CHECK)));
  for (const ended of all) expect(ended).toMatchObject(DONE);
  const file = await keptFile(user);
  const { ino } = await stat(file);
  await user.run(CHECK);
  expect((await stat(file)).ino).toBe(ino);
});
