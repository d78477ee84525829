/** Files that another user left in a shared folder are refused; otherwise owners and modes do not matter. */
import { chmod, chown, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { DEFAULT_KEY } from "../../src/sandbox/seed.ts";
import { course } from "../rig.ts";
import { attack, OTHER_ID, saveUserConfig, writeFiles } from "./rig.ts";

const ROOT = 0;
/** The user of the test: the owner of its files. */
const OWN = process.getuid?.() ?? ROOT;
/** Only root can give files to another user; the others run the program as if they were another user. */
const UID = OWN === ROOT ? OWN : OWN + 1;

const WITHOUT_LEVEL = JSON.stringify(course());

/** What a file changes: with it, `check` of a course reports the code. */
const FILES: readonly [name: string, content: string, code: number][] = [
  [".catalogrc", "timeout: none\n", 2],
  ["catalog.defaults.yaml", "level: [expert]\n", 3],
  [".catalogignore", "a.json\n", 3],
];

/** A project with a course, and a folder above it with a file of another user. */
async function below(name: string, content: string, mode: number) {
  const attacked = await attack(() => ({ "a.json": WITHOUT_LEVEL }));
  const parent = dirname(attacked.project);
  await writeFiles(parent, { [name]: content, "b.json": WITHOUT_LEVEL });
  const file = join(parent, name);
  if (OWN === ROOT) await chown(file, OTHER_ID, OTHER_ID);
  await chmod(parent, mode);
  return { ...attacked, parent, file };
}

test.each(FILES)("another user's %s in a shared folder is an error", async (name, content) => {
  const { run, parent } = await below(name, content, 0o1777);
  const ran = await run("courses check b.json .", { folder: parent, uid: UID });
  expect(ran.code).toBe(name === ".catalogrc" ? 2 : 3);
  expect(ran.stdout + ran.stderr).toMatch(
    /cannot use .*: it belongs to another user, in a folder that all users share/,
  );
});

test.each([
  ["the user's own", OWN === ROOT ? OTHER_ID : OWN],
  ["root's", ROOT],
])("%s config file in a shared folder is used", async (_, owner) => {
  const { run, parent, file } = await below(".catalogrc", "timeout: none\n", 0o1777);
  if (OWN === ROOT) await chown(file, owner, owner);
  const uid = OWN === ROOT ? OTHER_ID : OWN;
  const ran = await run("courses ls", { folder: parent, uid });
  expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining("timeout in")]);
});

test.each([0o1777, 0o755])(
  "another user's user config is an error in a folder of mode %o, and the key is not sent",
  async (mode) => {
    const { run, home, attacker } = await attack(() => ({}));
    await saveUserConfig(home, { baseUrl: attacker.baseUrl });
    const folder = join(home, ".config/catalog");
    await chmod(join(folder, "config.json"), 0o644);
    await chmod(folder, mode);
    const [uid, owner] = OWN === ROOT ? [OTHER_ID + 1, OTHER_ID] : [OWN + 1, OWN];
    if (OWN === ROOT) await chown(join(folder, "config.json"), owner, owner);
    const environment = { CATALOG_API_KEY: DEFAULT_KEY };
    for (const line of ["providers ls", "status", "login --with-key", "logout"]) {
      const ran = await run(line, { uid, environment, input: DEFAULT_KEY });
      expect([line, ran.code, ran.requests]).toEqual([line, 2, []]);
      expect(ran.stderr.replace(/\s+/g, " ")).toContain("it belongs to another user");
    }
  },
);

test("root may use the user config of any user", async () => {
  const { run, home, attacker } = await attack(() => ({}));
  await saveUserConfig(home, { baseUrl: attacker.baseUrl, apiKey: DEFAULT_KEY });
  const file = join(home, ".config/catalog/config.json");
  if (OWN === ROOT) await chown(file, OTHER_ID, OTHER_ID);
  expect((await run("providers ls", { uid: ROOT })).code).toBe(0);
});

test.each(FILES)(
  "another user's %s is used in a folder of mode 0777",
  async (name, content, code) => {
    const { run, parent, file } = await below(name, content, 0o777);
    await chmod(file, 0o777);
    const words = name === ".catalogrc" ? ["courses", "ls"] : ["courses", "check", "."];
    if (name === ".catalogignore") await writeFiles(parent, { [name]: "*.json\n" });
    const ran = await run(words, { folder: parent, uid: UID });
    expect([ran.code, ran.stderr]).toEqual([code, expect.not.stringContaining("another user")]);
  },
);

const DEFAULTS = { "catalog.defaults.yaml": "level: [expert]\n" };

test("defaults apply up to the folder with .git, and not above it", async () => {
  const { run, project } = await attack(() => ({ "x/y/a.json": WITHOUT_LEVEL, ...DEFAULTS }));
  const folder = join(project, "x/y");
  expect((await run("courses check .", { folder })).code).toBe(3);
  await mkdir(join(project, "x/.git"));
  expect((await run("courses check .", { folder })).code).toBe(0);
  expect((await run("courses check x")).code).toBe(0);
});

test("without .git, defaults apply up to the current folder, or to the folder that is named", async () => {
  const { run, home } = await attack(() => ({}));
  await writeFiles(home, { "x/z/a.json": WITHOUT_LEVEL, "y/b.txt": "", ...DEFAULTS });
  const check = async (folder: string, path: string) =>
    (await run(`courses check ${path}`, { folder: join(home, folder) })).code;
  expect(await check(".", "x")).toBe(3);
  expect(await check("x", ".")).toBe(0);
  expect(await check("y", "../x")).toBe(0);
  await writeFiles(home, { "x/catalog.defaults.yaml": DEFAULTS["catalog.defaults.yaml"] });
  expect(await check("y", "../x/z/a.json")).toBe(3);
  expect(await check("y", "../x")).toBe(3);
});

test("a defaults file may be a link into the project, and a link out of it is an error", async () => {
  const { run, home, project } = await attack(() => ({
    "a/a.json": WITHOUT_LEVEL,
    "b/a.json": WITHOUT_LEVEL,
    "shared.yaml": "level: [expert]\n",
    "a/catalog.defaults.yaml": { link: "../shared.yaml" },
  }));
  expect((await run("courses check a")).stdout).toContain("level");
  await writeFiles(home, { "secret.yaml": "level: [expert]\n" });
  await writeFiles(project, { "b/catalog.defaults.yaml": { link: join(home, "secret.yaml") } });
  const ran = await run("courses push b");
  expect([ran.code, ran.requests]).toEqual([3, []]);
  expect(ran.stderr).toContain("it is a link that leads out of the project");
});
