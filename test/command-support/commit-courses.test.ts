/** The courses of a git commit: which files are read, and what is wrong with a clone. */
import { existsSync } from "node:fs";
import { mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { StopRequest } from "../../src/command-support/context.ts";
import { writeExecutable } from "../executable.ts";
import { commit, git, type Reading, readCourses, temporaryFolder, writeAll } from "../git.ts";
import { course, testClock } from "../rig.ts";

/** A course file. */
function file(name: string, changes: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify(course({ name, url: `https://academy.example/${name}`, ...changes }));
}

/** The names of the courses of a commit. */
async function namesAt(ref: string, paths: readonly string[], reading: Reading) {
  const { courses } = await readCourses(ref, paths, reading);
  return courses.map(({ name }) => name);
}

/** The error of a reading. */
async function errorAt(ref: string, paths: readonly string[], reading: Reading) {
  const error = await readCourses(ref, paths, reading).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  const { kind, message, facts } = Object(error);
  return { kind, message, advice: facts?.advice };
}

describe("courses of a commit", () => {
  test("the courses of a commit are read from the files below the paths in every format, with the commit's defaults", async () => {
    const folder = await temporaryFolder();
    await commit(folder, {
      "courses/a.json": file("a", { level: ["beginner"] }),
      "courses/sub/b.yaml": "name: b\nurl: https://academy.example/b\npace: self_paced\n",
      "courses/sub/c.csv": "name,url,pace\nc,https://academy.example/c,self_paced\n",
      "courses/ä 1.ndjson": `${file("d")}\n${file("e")}\n`,
      "courses/.hidden/f.json": file("f"),
      "courses/node_modules/g.json": file("g"),
      "courses/drafts/h.json": file("h"),
      "courses/.catalogignore": "drafts/\n",
      "catalog.defaults.yaml": "level: [advanced]\naudio: [de]\n",
      "courses/sub/catalog.defaults.yaml": "audio: [fr]\n",
      "other/i.json": file("i"),
      "package.json": '{"name": "x", "version": "1.0.0"}',
    });
    git(folder, "tag", "v1");
    // What the files are now does not matter.
    await commit(folder, {
      "courses/a.json": file("new"),
      "catalog.defaults.yaml": "level: [expert]\n",
      "courses/.catalogignore": null,
    });
    const { courses, warnings } = await readCourses("v1", ["courses"], { folder });
    expect(warnings).toEqual([]);
    expect(courses.map(({ name, level, audio }) => [name, level, audio])).toEqual([
      ["a", ["beginner"], ["en"]],
      ["b", ["advanced"], ["fr"]],
      ["c", ["advanced"], ["fr"]],
      ["d", ["advanced"], ["en"]],
      ["e", ["advanced"], ["en"]],
    ]);
    const inside = { folder: join(folder, "courses/sub") };
    expect(await namesAt("HEAD~1", ["c.csv", "../a.json"], inside)).toEqual(["a", "c"]);
    // Standard input counts as the current folder; so does a pipe.
    expect(await namesAt("v1", ["-"], inside)).toEqual(["b", "c"]);
    expect(await namesAt("v1", ["/dev/null"], inside)).toEqual(["b", "c"]);
    expect(await namesAt("v1", [".", "c.csv"], inside)).toEqual(["b", "c"]);
    expect(await namesAt("main", ["../.hidden"], inside)).toEqual(["f"]);
    expect(await namesAt("v1^{commit}", ["../drafts"], inside)).toEqual(["h"]);
    // Links lead to the files that the commit has.
    await symlink(join(folder, "courses/sub"), join(folder, "link"));
    expect(await namesAt("v1", ["link/b.yaml"], { folder })).toEqual(["b"]);
  });

  test("the courses of a commit are searched in the entire repository if the files below the paths are not enough", async () => {
    const folder = await temporaryFolder();
    await commit(folder, {
      "old/a.json": file("a"),
      "old/catalog.defaults.yaml": "level: [advanced]\n",
      "old/broken.yaml": "{{ template }}: [\n",
      "courses/b.json": file("b"),
      ".github/c.json": file("c"),
      "vendor/node_modules/d.json": file("d"),
      "skipped/e.json": file("e"),
      "compose.yaml": "services:\n  web:\n    image: nginx\n",
      ".catalogignore": "skipped\n",
    });
    await commit(folder, { "old/a.json": null, "courses/a.json": file("a2") });
    const isEnough = () => false;
    const read = await readCourses("HEAD~1", ["courses"], { folder, isEnough });
    expect(read.courses.map(({ name, level }) => [name, level])).toEqual([
      ["b", undefined],
      ["a", ["advanced"]],
    ]);
    // What cannot be read elsewhere usually belongs to another program.
    expect(read.warnings).toEqual([]);
    expect(await namesAt("HEAD~1", ["courses"], { folder })).toEqual(["b"]);
    // A folder that the commit does not have.
    await commit(folder, { "new/a.json": file("a3") });
    // A file that is still there was not moved.
    expect(await namesAt("HEAD~2", ["new"], { folder, isEnough })).toEqual(["a"]);
    // Where nothing is needed, nothing is read.
    expect(await namesAt("HEAD~2", ["."], { folder, isEnough: () => true })).toEqual([]);
    // All files are below the path: there is no more to search.
    expect(await namesAt("HEAD~2", ["."], { folder, isEnough })).toEqual(["b", "a"]);
  });

  test("the courses of a commit get defaults from files above the repository, which are part of no commit", async () => {
    const outer = await temporaryFolder();
    const folder = join(outer, "clone");
    await writeAll(outer, { "catalog.defaults.yaml": "level: [advanced]\nprovider: a.example\n" });
    await mkdir(folder);
    const written = "name: a\nurl: https://academy.example/a\n";
    await commit(folder, { "a.yaml": written, "b.yaml": `${written}provider_id: x\n` });
    const { courses } = await readCourses("HEAD", ["."], { folder });
    const values = { name: "a", url: "https://academy.example/a", level: ["advanced"] };
    expect(courses).toEqual([
      { ...values, provider: "a.example" },
      { ...values, provider_id: "x" },
    ]);
  });

  test("courses of a commit whose file cannot be read are omitted with one warning", async () => {
    const folder = await temporaryFolder();
    await commit(folder, {
      "courses/a.yaml": "name: [\n",
      "courses/b.json": file("b"),
      "courses/c.json": new Uint8Array([0xff, 0xfe, 0x00]),
      "courses/catalog.defaults.yaml": "level: {\n",
      "courses/empty.yaml": "",
    });
    const { courses, warnings } = await readCourses("HEAD", ["courses"], { folder });
    expect(courses.map(({ name }) => name)).toEqual(["b"]);
    expect(warnings).toEqual([
      "cannot read courses/a.yaml and 2 other files at the commit HEAD, so their courses have no base",
    ]);
    await commit(folder, { ".catalogignore": "*******a\n", "courses/a.yaml": null });
    const ignored = await readCourses("HEAD", ["courses"], { folder });
    expect(ignored).toEqual({
      courses: [],
      warnings: ["cannot read .catalogignore at the commit HEAD, so its courses have no base"],
    });
  });

  test("the courses of a commit are read in linked worktrees, submodules and repositories with SHA-256 ids", async () => {
    const folder = await temporaryFolder();
    const [main, linked] = [join(folder, "main"), join(folder, "linked")];
    await mkdir(main);
    await commit(main, { "a.json": file("a") });
    git(main, "worktree", "add", "--quiet", linked);
    expect(await namesAt("main", ["."], { folder: linked })).toEqual(["a"]);
    const outer = join(folder, "outer");
    await mkdir(outer);
    await commit(outer, { "b.json": file("b") });
    git(outer, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", main, "sub");
    await commit(outer, {});
    expect(await namesAt("HEAD", ["sub"], { folder: outer })).toEqual(["a"]);
    // The files of a submodule are not those of the commit around it.
    expect(await namesAt("HEAD", ["."], { folder: outer })).toEqual(["b"]);
    expect(await errorAt("HEAD", [".", "sub"], { folder: outer })).toEqual({
      kind: "usage",
      message: `the files are in several git repositories: ${outer} and ${join(outer, "sub")}`,
      advice: "Run catalog once for each repository.",
    });
    const sha256 = join(folder, "sha256");
    await mkdir(sha256);
    git(sha256, "init", "--quiet", "--object-format=sha256");
    const id = await commit(sha256, { "c.json": file("c") });
    expect([id.length, await namesAt(id, ["."], { folder: sha256 })]).toEqual([64, ["c"]]);
  });

  test("reading the courses of a commit stops after a signal, and when git prints nothing for a long time", async () => {
    const folder = await temporaryFolder();
    await commit(folder, { "a.json": file("a") });
    const stop = new StopRequest();
    stop.send("SIGTERM");
    expect(await errorAt("HEAD", ["."], { folder, stop })).toMatchObject({ kind: "interrupted" });
    const bin = await temporaryFolder();
    const started = join(bin, "started");
    // What it has started keeps its output open.
    writeExecutable(join(bin, "git"), `#!/bin/sh\ntouch "${started}"\nsleep 3 & wait\n`);
    const environment = { PATH: `${bin}:${process.env.PATH}` };
    const clock = { ...testClock(), timeout: () => AbortSignal.timeout(20) };
    expect(await errorAt("HEAD", ["."], { folder, environment, clock })).toMatchObject({
      kind: "usage",
      message: "git failed: git printed nothing for a minute, or more than 128 MiB",
    });
    const later = new StopRequest();
    await rm(started);
    const reading = errorAt("HEAD", ["."], { folder, environment, stop: later });
    await vi.waitFor(() => expect(existsSync(started)).toBe(true));
    later.send("SIGTERM");
    expect(await reading).toMatchObject({ kind: "interrupted" });
  });
});

describe("a commit that cannot be read", () => {
  test("a missing git and a folder outside a repository are errors with advice", async () => {
    const folder = await temporaryFolder();
    expect(await errorAt("HEAD", ["."], { folder, environment: { PATH: folder } })).toEqual({
      kind: "usage",
      message: "cannot find git",
      advice: "Install git, or add its folder to PATH.",
    });
    expect(await errorAt("HEAD", ["."], { folder })).toEqual({
      kind: "usage",
      message: `${folder} is not in a git repository`,
      advice: "Pass files in a clone of the repository, or omit --base.",
    });
  });

  test("an unknown commit is an error with advice that fits a complete, shallow or partial clone", async () => {
    const folder = await temporaryFolder();
    const origin = join(folder, "origin");
    await mkdir(origin);
    const first = await commit(origin, { "a.json": file("a") });
    await commit(origin, { "a.json": file("b") });
    git(origin, "config", "uploadpack.allowFilter", "true");
    const advice = "Pass a branch, a tag or the id of a commit. For example: --base origin/main";
    for (const ref of ["nope", first.replace(/./g, "0"), "HEAD~7", "HEAD:a.json", "main^{tree}"]) {
      expect(await errorAt(ref, ["."], { folder: origin })).toEqual({
        kind: "usage",
        message: `there is no commit ${ref} in this clone`,
        advice,
      });
    }
    for (const ref of ["", "-x", "--all", "a\nb", "a\0b"]) {
      expect(await errorAt(ref, ["."], { folder: origin })).toEqual({
        kind: "usage",
        message: `--base must be a commit, not ${JSON.stringify(ref)}`,
        advice,
      });
    }
    git(folder, "clone", "--quiet", "--depth", "1", `file://${origin}`, "shallow");
    const shallow = { folder: join(folder, "shallow") };
    expect(await errorAt(first, ["."], shallow)).toEqual({
      kind: "usage",
      message: `there is no commit ${first} in this clone, in which older commits are missing`,
      advice:
        'Run "git fetch --unshallow"; in GitHub Actions, add "fetch-depth: 0" to actions/checkout.',
    });
    expect(await namesAt("HEAD", ["."], shallow)).toEqual(["b"]);
    git(shallow.folder, "checkout", "--quiet", "--detach");
    git(shallow.folder, "branch", "--quiet", "-D", "main");
    expect(await errorAt("main", ["."], shallow)).toMatchObject({
      message: "there is no commit main in this clone",
      advice: 'Did you mean "origin/main"?',
    });
    git(folder, "clone", "--quiet", "--filter=blob:none", `file://${origin}`, "partial");
    expect(await errorAt("HEAD~1", ["."], { folder: join(folder, "partial") })).toEqual({
      kind: "usage",
      message:
        "files of the commit are missing from this clone, and catalog does not download them",
      advice: "Clone the repository again without --filter.",
    });
  });

  test("an error of git is reported with advice if git refuses the repository or cannot read it", async () => {
    const folder = await temporaryFolder();
    await commit(folder, { "a.json": file("a") });
    const bin = await temporaryFolder();
    const program = join(bin, "git");
    writeExecutable(program, '#!/bin/sh\necho "$REASON" >&2\nexit 128\n');
    for (const [reason, message, advice] of [
      [
        "fatal: detected dubious ownership in x",
        `git does not trust the repository of ${folder}, which belongs to another user`,
        `If you trust it, run: git config --global --add safe.directory ${folder}`,
      ],
      [
        "fatal: transport 'ssh' not allowed",
        "files of the commit are missing from this clone, and catalog does not download them",
        "Clone the repository again without --filter.",
      ],
      [
        "hint: x\nerror: \u001b[1m",
        "git failed: \\x1b[1m",
        `To see more, run "git log" in ${folder}.`,
      ],
      ["", "git failed: exit code 128", `To see more, run "git log" in ${folder}.`],
    ] as const) {
      const environment = { PATH: bin, REASON: reason };
      const error = await errorAt("HEAD", ["."], { folder, environment });
      expect(error).toEqual({ kind: "usage", message, advice });
    }
    const config = join(folder, ".git/config");
    const text = await readFile(config, "utf8");
    await writeFile(config, `${text}[broken\u001b[31m\n`);
    expect(await errorAt("HEAD", ["."], { folder })).toEqual({
      kind: "usage",
      message: expect.stringMatching(/^git failed: bad config line \d+ in file /),
      advice: `To see more, run "git log" in ${folder}.`,
    });
  });
});
