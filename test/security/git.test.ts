/** git in a hostile repository: it runs nothing that the repository names, and reads nothing else. */
import { execFileSync, spawnSync } from "node:child_process";
import { appendFile, chmod, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { commit, git, readCourses, temporaryFolder, writeAll } from "../git.ts";
import { course } from "../rig.ts";

/** A hostile repository, a folder for the marks of the programs that it gets to run, and such a program. */
interface Trap {
  readonly folder: string;
  readonly repository: string;
  /** Writes an executable that leaves a mark. @returns its path */
  readonly program: (path: string, name: string) => Promise<string>;
  readonly marks: () => Promise<string[]>;
}

async function trap(): Promise<Trap> {
  const folder = await temporaryFolder();
  const [repository, marks] = [join(folder, "repository"), join(folder, "marks")];
  await mkdir(repository);
  await mkdir(marks);
  return {
    ...{ folder, repository },
    program: async (path, name) => {
      await writeAll(folder, { [path]: `#!/bin/sh\ntouch "${join(marks, name)}"\nexit 1\n` });
      await chmod(join(folder, path), 0o755);
      return join(folder, path);
    },
    marks: () => readdir(marks),
  };
}

function file(name: string): string {
  return JSON.stringify(course({ name, url: `https://academy.example/${name}` }));
}

/** The names of the courses of a commit. */
async function namesAt(...reading: Parameters<typeof readCourses>): Promise<unknown[]> {
  const { courses } = await readCourses(...reading);
  return courses.map(({ name }) => name).sort();
}

async function messageAt(...reading: Parameters<typeof readCourses>): Promise<string> {
  return await readCourses(...reading).then(
    () => "",
    (thrown: unknown) => (thrown instanceof Error ? thrown.message : String(thrown)),
  );
}

/** Settings of a repository with which git runs a program. */
const PROGRAMS = [
  ...["core.fsmonitor", "core.pager", "core.sshCommand", "core.gitProxy", "core.askPass"],
  ...["core.editor", "core.alternateRefsCommand", "credential.helper", "diff.external"],
  ...["diff.trap.textconv", "diff.trap.command", "filter.trap.clean", "filter.trap.smudge"],
  ...["filter.trap.process", "merge.trap.driver", "gpg.program", "sequence.editor"],
  ...["pager.cat-file", "pager.ls-tree", "pager.rev-parse", "pager.status"],
  ...["remote.origin.uploadpack", "uploadpack.packObjectsHook", "interactive.diffFilter"],
];

const HOOKS = ["post-checkout", "post-index-change", "reference-transaction", "pre-auto-gc"];

/** A setting in a configuration file. @param name such as `core.pager` or `diff.trap.textconv` */
function setting(name: string, value: string): string {
  const [section, ...rest] = name.split(".");
  const subsection = rest.length > 1 ? ` "${rest[0]}"` : "";
  return `[${section}${subsection}]\n\t${rest.at(-1)} = ${value}\n`;
}

/** Sets every such trap in a repository. @returns the variables of an environment with others */
async function setTraps(
  { folder, repository, program }: Trap,
  config = join(repository, ".git"),
): Promise<Record<string, string>> {
  const settings = [];
  for (const name of PROGRAMS)
    settings.push(setting(name, await program(`programs/${name}`, name)));
  for (const word of ["cat-file", "ls-tree", "rev-parse"]) {
    const alias = await program(`programs/alias-${word}`, `alias-${word}`);
    settings.push(setting(`alias.${word}`, `!${alias}`));
  }
  for (const hook of HOOKS) {
    await program(`hooks/${hook}`, `hook-${hook}`);
    await writeAll(config, { [`hooks/${hook}`]: await readFile(join(folder, "hooks", hook)) });
    await chmod(join(config, "hooks", hook), 0o755);
  }
  settings.push(setting("core.hooksPath", join(folder, "hooks")));
  settings.push(setting("trace2.eventTarget", join(folder, "marks/trace2")));
  settings.push(setting("include.path", "more"));
  await appendFile(join(config, "config"), settings.join(""));
  const included = setting("core.fsmonitor", await program("programs/included", "included"));
  await writeAll(config, { more: included });
  const bin = join(folder, "bin");
  for (const name of ["git", "git-fetch", "git-cat-file", "git-upload-pack", "ssh"]) {
    await program(`bin/${name}`, `bin-${name}`);
    await program(`repository/${name}`, `repository-${name}`);
  }
  const evil = join(folder, "repository/git");
  return {
    PATH: `.::repository:../bin:${process.env.PATH}:.`,
    ...{ GIT_DIR: join(folder, "elsewhere/.git"), GIT_WORK_TREE: "/", git_dir: folder },
    ...{ GIT_INDEX_FILE: join(folder, "marks/index"), GIT_OBJECT_DIRECTORY: folder },
    ...{ GIT_EXTERNAL_DIFF: evil, GIT_SSH_COMMAND: evil, GIT_SSH: evil, GIT_PAGER: evil },
    ...{ GIT_ASKPASS: evil, GIT_EDITOR: evil, GIT_PROXY_COMMAND: evil, GIT_EXEC_PATH: bin },
    ...{ GIT_CONFIG_COUNT: "1", GIT_CONFIG_KEY_0: "core.fsmonitor", GIT_CONFIG_VALUE_0: evil },
    ...{ GIT_CONFIG_GLOBAL: join(config, "config"), GIT_CONFIG_SYSTEM: join(config, "config") },
    ...{ GIT_CONFIG_PARAMETERS: `'core.fsmonitor'='${evil}'`, GIT_NAMESPACE: "x" },
    ...{ GIT_TRACE: join(folder, "marks/trace"), GIT_TRACE2: join(folder, "marks/trace2") },
    ...{ GIT_REPLACE_REF_BASE: "refs/heads/", GIT_NO_LAZY_FETCH: "0", GIT_ALLOW_PROTOCOL: "ext" },
    ...{ GIT_TEMPLATE_DIR: config, GIT_CEILING_DIRECTORIES: folder },
    ...{ PAGER: evil, EDITOR: evil, SSH_ASKPASS: evil },
    // git would read .gitconfig and .config/git/config there.
    ...{ HOME: ".", XDG_CONFIG_HOME: "config" },
  };
}

describe("programs that git could run", () => {
  test("git runs no program of the configuration, attributes, hooks, folders or environment variables", async () => {
    const t = await trap();
    await commit(t.repository, {
      "courses/a.json": file("right"),
      ".gitattributes": "* filter=trap diff=trap merge=trap ident\n",
    });
    // A replacement of the content: shown instead of it by every git command.
    await writeAll(t.folder, { "wrong.json": file("wrong") });
    const right = git(t.repository, "rev-parse", "HEAD:courses/a.json");
    const wrong = git(
      t.repository,
      "hash-object",
      "-w",
      "--no-filters",
      join(t.folder, "wrong.json"),
    );
    git(t.repository, "replace", right, wrong);
    expect(git(t.repository, "show", "HEAD:courses/a.json")).toContain("wrong");
    await mkdir(join(t.folder, "elsewhere"));
    await commit(join(t.folder, "elsewhere"), { "courses/a.json": file("elsewhere") });
    const environment = await setTraps(t);
    const global = `[trace2]\n\tnormalTarget = ${join(t.folder, "marks/home")}\n`;
    await writeAll(t.repository, { ".gitconfig": global, "config/git/config": global });
    const reading = { folder: t.repository, environment };
    expect(await namesAt("HEAD", ["courses"], reading)).toEqual(["right"]);
    expect(await namesAt("main", ["."], { ...reading, isEnough: () => false })).toEqual(["right"]);
    expect(await messageAt("--output=marks/x", ["."], reading)).toContain(
      "--base must be a commit, not ",
    );
    expect(await t.marks()).toEqual([]);
    // The traps work: git itself falls into them.
    const options = {
      cwd: t.repository,
      stdio: "ignore",
      env: { PATH: process.env.PATH },
    } as const;
    spawnSync("git", ["status"], options);
    expect(await t.marks()).toContain("included");
  });

  test("git runs no program to download files that are missing from a partial clone", async () => {
    const t = await trap();
    const origin = join(t.folder, "origin");
    await mkdir(origin);
    const id = await commit(origin, { "courses/a.json": file("a") });
    git(origin, "config", "uploadpack.allowFilter", "true");
    const words = ["clone", "--quiet", "--no-checkout", "--filter=blob:none"];
    git(t.folder, ...words, `file://${origin}`, t.repository);
    const environment = await setTraps(t);
    const set = (name: string, value: string) => git(t.repository, "config", name, value);
    const reading = { folder: t.repository, environment };
    const touch = `touch ${join(t.folder, "marks/ext")}`;
    for (const url of [`ext::sh -c "${touch}"`, `file://${t.folder}`, "ssh://x.example/y"]) {
      set("remote.origin.url", url);
      expect(await messageAt(id, ["."], reading)).toBe(
        "files of the commit are missing from this clone, and catalog does not download them",
      );
      // An id of no object is one that could be downloaded, too.
      expect(await messageAt("1".repeat(40), ["."], reading)).toContain("there is no commit 111");
    }
    set("remote.origin.vcs", "git");
    expect(await messageAt(id, ["."], reading)).toContain(
      "files of the commit are missing from this clone",
    );
    expect(await t.marks()).toEqual([]);
    git(t.repository, "config", "--unset", "remote.origin.vcs");
    set("remote.origin.url", `file://${origin}`);
    const object = git(t.repository, "rev-parse", `${id}:courses/a.json`);
    const options = {
      cwd: t.repository,
      stdio: "ignore",
      env: { PATH: process.env.PATH },
    } as const;
    spawnSync("git", ["cat-file", "-p", object], options);
    expect(await t.marks()).toContain("remote.origin.uploadpack");
  });

  test("git runs no program of a repository inside the repository, or elsewhere", async () => {
    const t = await trap();
    await commit(t.repository, { "courses/a.json": file("a") });
    // A folder of the commit that looks like a repository without files.
    const bare = join(t.repository, "courses/bare");
    git(t.folder, "clone", "--quiet", "--bare", t.repository, bare);
    const environment = await setTraps(t, bare);
    const reading = { folder: t.repository, environment };
    expect(await messageAt("HEAD", ["courses/bare"], reading)).toMatch(
      /^git failed: cannot use bare/,
    );
    expect(await namesAt("HEAD", ["courses"], reading)).toEqual(["a"]);
    // A file .git that leads to it.
    await writeAll(t.repository, { "linked/.git": "gitdir: ../courses/bare\n" });
    const linked = { folder: join(t.repository, "linked"), environment };
    expect(await messageAt("HEAD", ["."], linked)).toMatch(/^git failed: this operation must/);
    git(t.repository, "config", "--file", join(bare, "config"), "core.bare", "false");
    expect(await namesAt("HEAD", ["."], linked)).toEqual(["a"]);
    // Another repository of the user.
    const secret = join(t.folder, "secret");
    await mkdir(secret);
    await commit(secret, { "courses/a.json": file("secret") });
    git(t.repository, "config", "core.worktree", secret);
    expect(await messageAt("HEAD", ["courses"], reading)).toContain(
      "has its files in another folder",
    );
    expect(await t.marks()).toEqual([]);
  });
});

test("git gets no key, no variable of git and no relative folder", async () => {
  const folder = await temporaryFolder();
  await commit(folder, { "a.json": file("a") });
  const bin = await temporaryFolder();
  const real = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
  await writeFile(join(bin, "git"), `#!/bin/sh\nenv >> "${bin}/env"\nexec "${real}" "$@"\n`);
  await chmod(join(bin, "git"), 0o755);
  const environment = {
    ...{ CATALOG_API_KEY: "team03.0123456789abcdef", CATALOG_API_KEY_PROD: "team03.x" },
    ...{ GIT_DIR: "x", Git_Trace: "1", PATH: `bin:.:${bin}:${process.env.PATH}`, KEPT: "1" },
    ...{ HOME: "home", XDG_CONFIG_HOME: "" },
  };
  expect(await namesAt("HEAD", ["."], { folder, environment })).toEqual(["a"]);
  const lines = new Set((await readFile(join(bin, "env"), "utf8")).split("\n"));
  const variables = [...lines].filter((line) => /^(git_|catalog|home|xdg|path|kept)/i.test(line));
  expect(variables.sort()).toEqual([
    "GIT_ALLOW_PROTOCOL=none",
    "GIT_NO_LAZY_FETCH=1",
    "GIT_NO_REPLACE_OBJECTS=1",
    "GIT_OPTIONAL_LOCKS=0",
    "GIT_TERMINAL_PROMPT=0",
    "KEPT=1",
    `PATH=${bin}:${process.env.PATH}`,
  ]);
});

/** Writes a tree with any names, which git would refuse to create. @returns its id */
function rawTree(
  repository: string,
  entries: readonly (readonly [mode: string, name: string, id: string])[],
): string {
  const parts = entries.flatMap(([mode, name, id]) => [
    Buffer.from(`${mode} ${name}\0`),
    Buffer.from(id, "hex"),
  ]);
  const words = ["hash-object", "-t", "tree", "-w", "--literally", "--stdin"];
  const options = { cwd: repository, input: Buffer.concat(parts), encoding: "utf8" } as const;
  return execFileSync("git", words, options).trim();
}

test("files of a commit are read neither from paths that lead out of the commit nor through links", async () => {
  const t = await trap();
  await commit(t.repository, { "a.json": file("a"), "secret.json": file("secret") });
  const blob = git(t.repository, "rev-parse", "HEAD:a.json");
  await symlink("/etc/passwd", join(t.repository, "link.json"));
  await symlink(join(t.repository, "secret.json"), join(t.repository, "other.json"));
  await commit(t.repository, { "secret.json": null });
  const link = git(t.repository, "rev-parse", "HEAD:link.json");
  const other = git(t.repository, "rev-parse", "HEAD:other.json");
  await writeAll(t.repository, { "secret.json": file("secret") });
  const inner = rawTree(t.repository, [["100644", "evil.json", blob]]);
  const tree = rawTree(t.repository, [
    ...[
      "../up.json",
      "/tmp/absolute.json",
      "x//y.json",
      "./z.json",
      `${"long".repeat(80)}.json`,
    ].map((name) => ["100644", name, blob] as const),
    ...["..", ".", ".git", ".GIT"].map((name) => ["40000", name, inner] as const),
    ["100644", "a.json", blob],
    // The same name again, also that of a folder.
    ["100644", "a.json", blob],
    ["40000", "a.json", inner],
    ["120000", "link.json", link],
    ["120000", "other.json", other],
    ["160000", "module.json", blob],
    ["100755", "new\nline.json", blob],
    ["100664", "100644 blob x\tb.json", blob],
  ]);
  const id = git(t.repository, "commit-tree", tree, "-m", "Evil");
  const reading = { folder: t.repository, isEnough: () => false };
  expect(await namesAt(id, ["."], reading)).toEqual(Array(6).fill("a"));
  // Without those of a.json, which is still there.
  expect(await namesAt(id, ["secret.json"], reading)).toEqual(Array(4).fill("a"));
  expect(await readdir(t.folder)).toEqual(["marks", "repository"]);
});

test("a file of a commit that is too large for a course file is not read, even if it occurs often", async () => {
  const t = await trap();
  await commit(t.repository, { "a.json": file("a") });
  const [small, large] = [
    git(t.repository, "rev-parse", "HEAD:a.json"),
    execFileSync("git", ["-c", "core.looseCompression=1", "hash-object", "-w", "--stdin"], {
      cwd: t.repository,
      input: Buffer.alloc(49 * 1024 * 1024, " "),
      encoding: "utf8",
    }).trim(),
  ];
  const names = Array.from({ length: 20 }, (_, index) => `${index + 1000}.json`);
  const folder = rawTree(
    t.repository,
    names.map((name) => ["100644", name, large]),
  );
  const tree = rawTree(t.repository, [
    ["100644", "a.json", small],
    ["40000", "b", folder],
  ]);
  const id = git(t.repository, "commit-tree", tree, "-m", "Large");
  const { courses, warnings } = await readCourses(id, ["."], { folder: t.repository });
  expect(courses).toHaveLength(1);
  expect(warnings).toEqual([
    `cannot read b/1000.json and 19 other files at the commit ${id}, so their courses have no base`,
  ]);
});
