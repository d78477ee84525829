/** Config files, defaults and ignore patterns that another user left in a parent folder are not used. */
import { chmod, chown, lchown, mkdir, readdir, rename, rm, stat, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { DEFAULT_KEY } from "../../src/sandbox/seed.ts";
import { course, PROVIDER_ID } from "../rig.ts";
import { attack, giveToAnotherUser, OWN, writeFiles } from "./rig.ts";

const LIST = ["courses", "ls", "-o", "id"];
const environment = { CATALOG_API_KEY: DEFAULT_KEY };

/** A clone without a config, below a folder that has one. */
async function parentWith(name: string, content: (address: string) => string) {
  const attacked = await attack(() => ({ "courses/a.yaml": "[]\n" }));
  const parent = dirname(attacked.project);
  await writeFiles(parent, { [name]: content(attacked.attacker.baseUrl) });
  return { ...attacked, parent, file: join(parent, name) };
}

const redirecting = (address: string): string => `{"baseUrl": "${address}"}`;

test("another user's config file in a parent folder is refused and named", async () => {
  const { run, file } = await parentWith(".catalogrc", redirecting);
  const user = await giveToAnotherUser(file);
  const ran = await run(LIST, { environment, user });
  expect([ran.code, ran.requests]).toEqual([2, []]);
  expect(ran.stderr).toContain(
    `error: catalog does not trust the config file ${file}: it belongs to another user`,
  );
  expect(ran.stderr).toContain(`pass --config ${file}`);
});

test("--config can name another user's config file in a parent folder", async () => {
  const { run, file } = await parentWith(".catalogrc", redirecting);
  const user = await giveToAnotherUser(file);
  expect((await run([...LIST, "--config", file], { environment, user })).code).toBe(0);
});

// Only root can make a link, and not its target, that of another user, or the other way around.
test.skipIf(process.getuid?.() !== 0).each([
  ["another user's link to the user's own file", lchown],
  ["the user's own link to another user's file", chown],
] as const)("in a parent folder, %s is refused", async (_, give) => {
  const { run, parent, file } = await parentWith(".catalogrc", redirecting);
  await rename(file, join(parent, "target"));
  await symlink("target", file);
  await give(file, 12_345, 12_345);
  const ran = await run(LIST, { environment, user: OWN });
  expect([ran.code, ran.requests]).toEqual([2, []]);
  expect(ran.stderr).toContain(
    `error: catalog does not trust the config file ${file}: it belongs to another user`,
  );
});

test.skipIf(process.getuid?.() !== 0)("a parent folder's file of root is used", async () => {
  const { run } = await parentWith(".catalogrc", redirecting);
  const user = { id: 12_345, home: undefined };
  expect((await run(LIST, { environment, user })).code).toBe(0);
});

test("SUDO_UID makes no other user trusted unless root runs the program", async () => {
  const { run, file } = await parentWith(".catalogrc", redirecting);
  await giveToAnotherUser(file);
  const { uid } = await stat(file);
  const called = { ...environment, SUDO_UID: String(uid) };
  const ran = await run(LIST, { environment: called, user: { id: uid + 1, home: undefined } });
  expect([ran.code, ran.requests]).toEqual([2, []]);
  expect(ran.stderr).toContain(`${file}: it belongs to another user`);
});

test.skipIf(process.getuid?.() !== 0)(
  "the caller of sudo does not count as another user",
  async () => {
    const { run, file } = await parentWith(".catalogrc", redirecting);
    const user = await giveToAnotherUser(file);
    const called = { ...environment, SUDO_UID: "12345" };
    expect((await run(LIST, { environment: called, user })).code).toBe(0);
  },
);

test.each([0o777, 0o1777])(
  "a config file in a folder that others can write to is refused (case %#)",
  async (mode) => {
    const { run, parent, file } = await parentWith(".catalogrc", redirecting);
    await chmod(parent, mode);
    const ran = await run(LIST, { environment, user: OWN });
    expect([ran.code, ran.requests]).toEqual([2, []]);
    expect(ran.stderr).toContain(`${file}: it is in a folder that other users can write to`);
  },
);

test.each([0o602, 0o666])(
  "a config file that others can write to is refused (case %#)",
  async (mode) => {
    const { run, file } = await parentWith(".catalogrc", redirecting);
    await chmod(file, mode);
    const ran = await run(LIST, { environment, user: OWN });
    expect([ran.code, ran.requests]).toEqual([2, []]);
    expect(ran.stderr).toContain(`${file}: it can be changed by other users`);
    const named = await run([...LIST, "--config", file], { environment, user: OWN });
    expect(named.code).toBe(0);
  },
);

test("a config file that the user's group can write to is used", async () => {
  const { run, parent, file } = await parentWith(".catalogrc", redirecting);
  await chmod(file, 0o664);
  await chmod(parent, 0o775);
  expect((await run(LIST, { environment, user: OWN })).code).toBe(0);
});

// Only root can give the folder, and not the file, to another user.
test.skipIf(process.getuid?.() !== 0).each([
  [".catalogrc", redirecting],
  ["package.json", (address: string) => `{"catalog": ${redirecting(address)}}`],
] as const)(
  "in a folder of another user, the user's own config file %s is refused",
  async (name, content) => {
    const { run, parent, file } = await parentWith(name, content);
    const user = await giveToAnotherUser(parent);
    const ran = await run(LIST, { environment, user });
    expect([ran.code, ran.requests]).toEqual([2, []]);
    expect(ran.stderr).toContain(`${file}: it is in a folder that belongs to another user`);
    expect((await run([...LIST, "--config", file], { environment, user })).code).toBe(0);
  },
);

test("the user's own config file in their own folder is used", async () => {
  const { run } = await parentWith(".catalogrc", redirecting);
  expect((await run(LIST, { environment, user: OWN })).code).toBe(0);
});

test("another user's package.json in a parent folder counts only if it has settings of catalog", async () => {
  const harmless = await parentWith("package.json", () => '{"catalog": {"react": "^19.0.0"}}');
  const user = await giveToAnotherUser(harmless.file);
  expect((await harmless.run(["status"], { user })).stderr).not.toContain("another user");
  const hostile = await parentWith(
    "package.json",
    (address) => `{"catalog": ${redirecting(address)}}`,
  );
  await giveToAnotherUser(hostile.file);
  const ran = await hostile.run(LIST, { environment, user });
  expect([ran.code, ran.requests]).toEqual([2, []]);
});

test("login ignores another user's config file in a parent folder and warns", async () => {
  const { run, file, r } = await parentWith(".catalogrc", redirecting);
  const user = await giveToAnotherUser(file);
  const words = ["login", "--with-key", "--base-url", r.sandbox.baseUrl];
  const ran = await run(words, { input: DEFAULT_KEY, user });
  expect([ran.code, ran.requests]).toEqual([0, []]);
  expect(ran.stderr).toContain(
    `warning: catalog does not trust the config file ${file}: it belongs to another user`,
  );
});

test("root saves nothing in a HOME of another user, and saves in its own home folder instead", async () => {
  const { run, r, home, parent } = await parentWith("empty", () => "");
  await giveToAnotherUser(home);
  const before = await readdir(home, { recursive: true });
  const words = ["login", "--with-key", "--base-url", r.sandbox.baseUrl];
  const xdg = { XDG_CONFIG_HOME: join(home, "new/config"), XDG_STATE_HOME: join(home, "new") };
  for (const [name, kept] of Object.entries({ home: {}, xdg })) {
    const own = join(parent, name);
    await mkdir(own);
    const ran = await run(words, {
      input: DEFAULT_KEY,
      environment: kept,
      user: { id: 0, home: own },
    });
    expect(ran.code).toBe(0);
    expect(ran.stderr).toContain(`in ${own}/.config/catalog/config.json`);
    expect(await readdir(home, { recursive: true })).toEqual(before);
  }
});

test.each([".config", ".config/catalog", ".config/catalog/config.json"])(
  "a config file that another user prepared in a shared HOME is not used: %s",
  async (name) => {
    const { run, home, attacker } = await parentWith("empty", () => "");
    await writeFiles(home, { ".config/catalog/config.json": redirecting(attacker.baseUrl) });
    const { id } = await giveToAnotherUser(join(home, name));
    // The system's list of users may name the same folder.
    for (const own of [home, join(home, "own")]) {
      const ran = await run([...LIST, "-q"], {
        environment: { ...environment, CI: "true" },
        user: { id, home: own },
      });
      expect([ran.code, ran.requests]).toEqual([2, []]);
      expect(ran.stderr).toContain("no base URL is set");
    }
  },
);

// Only root can give the folder of the target, and neither the link nor the target, to another user.
test.skipIf(process.getuid?.() !== 0).each([
  ["in it", ["folder/target"]],
  ["that another link in it leads to", ["folder/link", "../target"]],
])(
  "a config file that links to another user's folder is refused, to a file %s",
  async (_, targets) => {
    const { run, parent, file } = await parentWith(".catalogrc", redirecting);
    const [first = "", second] = targets;
    await mkdir(join(parent, "folder"));
    await rename(file, join(parent, second === undefined ? first : "target"));
    await symlink(first, file);
    if (second !== undefined) await symlink(second, join(parent, first));
    expect((await run(LIST, { environment, user: OWN })).code).toBe(0);
    await chown(join(parent, "folder"), 12_345, 12_345);
    const ran = await run(LIST, { environment, user: OWN });
    expect([ran.code, ran.requests.length]).toEqual([2, 1]);
    expect(ran.stderr).toContain(`${file}: it leads to a folder that belongs to another user`);
  },
);

describe("files that apply to all courses", () => {
  const COURSE = JSON.stringify({ ...course(), provider_id: PROVIDER_ID, level: undefined });

  test.each([
    ["catalog.defaults.yaml", "level: [expert]\n", 3],
    [".catalogignore", "a.json\n", 2],
  ])("another user's %s is ignored with a warning", async (name, content, codeIfUsed) => {
    const { run, parent, project, file } = await parentWith(name, () => content);
    await rm(join(project, "courses"), { recursive: true });
    await writeFiles(project, { "a.json": COURSE });
    expect((await run(["courses", "check", "."], { user: OWN })).code).toBe(codeIfUsed);
    const user = await giveToAnotherUser(parent, file);
    // For another user than root, the project and its files are those of another one, too.
    const ran = await run(["courses", "check", "."], { user });
    expect([ran.code, ran.requests]).toEqual([0, []]);
    expect(ran.stdout).toContain(
      `${name}:1:1: warning: not read, because it belongs to another user`,
    );
    // In the current folder, they belong to the courses.
    const below = await run(["courses", "check", "clone"], { user, folder: parent });
    expect(below.code).toBe(codeIfUsed);
    const rerun = await run(["courses", "check", "."], {
      user: { id: 0, home: undefined },
      environment: { SUDO_UID: "12345" },
    });
    if (process.getuid?.() === 0) expect(rerun.code).toBe(codeIfUsed);
  });
});
