/** `courses edit`, with scripts in place of the editor. */
import { access, chmod, mkdir, readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { main } from "../../src/main.ts";
import { DEFAULT_KEY } from "../../src/sandbox/seed.ts";
import { MemoryOutput } from "../rig.ts";
import { id, numberedCourse, PATCH, rigWith, startCommand, storedCourses } from "./helpers.ts";

const COURSE = numberedCourse(1, { level: ["beginner"] });
/** An editor that writes its arguments, one per line. */
const EDITOR = `#!/bin/sh\nprintf '%s\\n' "$@" > "$HOME/words"\n`;

/** Runs `edit` with this shell script as the editor and this input as the answers. */
async function editWith(script: string, input: string, defaults = "") {
  const r = await rigWith(COURSE);
  if (defaults !== "") await r.write("catalog.defaults.yaml", defaults);
  await r.write("editor.sh", `${script}\n`);
  const environment = { EDITOR: `sh ${r.folder}/editor.sh`, TMPDIR: r.folder };
  const ran = await r.run(["courses", "edit", id(1)], { terminal: true, input, environment });
  const [stored] = await storedCourses(r);
  return { r, ran, stored };
}

test("edit sends the changed fields after a confirmation, and undo restores them", async () => {
  const { r, ran, stored } = await editWith(`sed -i 's/^name: .*/name: Renamed/' "$1"`, "y\n");
  expect(ran.code).toBe(0);
  expect(ran.requests.filter((request) => !request.startsWith("GET"))).toEqual([
    `PATCH /developer/v1/courses?id=${id(1)}`,
  ]);
  expect(ran.stderr).toContain("Renamed");
  expect(stored).toMatchObject({ name: "Renamed", level: ["beginner"] });
  expect((await r.run(["undo", "--yes"])).code).toBe(0);
  expect((await storedCourses(r))[0]).toMatchObject({ name: COURSE.name });
});

test("edit clears a field that was removed from the text", async () => {
  const { ran, stored } = await editWith(`sed -i '/^level:/,/^  - /d' "$1"`, "y\n");
  expect(ran.code).toBe(0);
  expect(stored?.level ?? []).toEqual([]);
});

test("edit adds no default values of a project that contains the folder of temporary files", async () => {
  const clear = `sed -i '/^level:/,/^  - /d' "$1"`;
  const { stored } = await editWith(clear, "y\n", "level: [advanced]\nfree_content: true\n");
  expect(stored?.level ?? []).toEqual([]);
  expect(stored?.free_content ?? null).toBeNull();
});

test("edit names the folder of temporary files if it cannot be used, and sends nothing", async () => {
  const r = await rigWith(COURSE);
  const environment = { EDITOR: "true", TMPDIR: join(r.folder, "absent") };
  const ran = await r.run(["courses", "edit", id(1)], { terminal: true, environment });
  expect(ran.code).toBe(1);
  expect(ran.stderr).toContain(`cannot write ${environment.TMPDIR}: no such file`);
  expect(ran.stderr).toContain("Set TMPDIR to a writable folder.");
  expect(ran.requests.filter((request) => !request.startsWith("GET"))).toEqual([]);
});

test("edit sends nothing if the text is unchanged or the answer is no", async () => {
  const unchanged = await editWith("true", "");
  expect(unchanged.ran).toMatchObject({ code: 0, stderr: expect.stringContaining("Nothing was") });
  const declined = await editWith(`sed -i 's/^name: .*/name: Renamed/' "$1"`, "n\n");
  expect(declined.ran.stderr).toMatch(/Your text is saved in .*course\.yaml/);
  expect(declined.stored).toMatchObject({ name: COURSE.name });
});

test("edit shows problems, sends nothing and keeps the text if the user does not edit it again", async () => {
  const { ran, stored } = await editWith(`sed -i 's/^pace: .*/pace: fast/' "$1"`, "n\n");
  expect(ran.code).toBe(3);
  expect(ran.stderr).toContain("[choice]");
  expect(ran.stderr).toMatch(/Your text is saved in .*course\.yaml/);
  expect(stored).toMatchObject({ pace: "self_paced" });
});

test("edit needs a terminal, an output format for --fields, and an editor that exits with 0", async () => {
  const r = await rigWith(COURSE);
  expect(await r.run(["courses", "edit", id(1)])).toMatchObject({ code: 2, requests: [] });
  const fields = await r.run(["courses", "edit", id(1), "--fields", "name"], { terminal: true });
  expect(fields).toMatchObject({ code: 2, requests: [] });
  expect(fields.stderr).toContain("--fields needs --output or --json");
  const environment = { EDITOR: "false", TMPDIR: r.folder };
  const ran = await r.run(["courses", "edit", id(1)], { terminal: true, environment });
  expect(ran.stderr).toContain("the editor ended with exit code 1; nothing was sent");
});

test("edit sends nothing if an edited field also changed in the catalog meanwhile", async () => {
  const r = await rigWith(COURSE);
  const change = `fetch("${r.sandbox.baseUrl}${PATCH.slice(6)}", { method: "PATCH", headers: { "x-api-key": "${DEFAULT_KEY}", "content-type": "application/json" }, body: '{"name":"Theirs"}' })`;
  await r.write("change.mjs", change);
  await r.write(
    "editor.sh",
    `sed -i 's/^name: .*/name: Mine/' "$1"; node ${r.folder}/change.mjs\n`,
  );
  const environment = { EDITOR: `sh ${r.folder}/editor.sh`, TMPDIR: r.folder };
  const ran = await r.run(["courses", "edit", id(1)], {
    terminal: true,
    input: "y\n",
    environment,
  });
  expect(ran.code).toBe(1);
  expect(ran.stderr.replace(/\s+/g, " ")).toContain(
    "name changed in the catalog while you edited the course; nothing was sent",
  );
  expect(ran.stderr).toMatch(/Your text is saved in .*course\.yaml/);
  expect((await storedCourses(r))[0]).toMatchObject({ name: "Theirs" });
});

test.each([
  ["the id was changed", `sed -i 's/^id: .*/id: ${id(2)}/' "$1"`, "the id of a course cannot"],
  ["the editor fails", `echo '# more' >> "$1"; exit 3`, "ended with exit code 3"],
  ["the text is empty", `: > "$1"`, "contains no course"],
])("edit names the file with the text if %s", async (_, script, problem) => {
  const { ran } = await editWith(script, "");
  expect(ran.code).toBe(2);
  expect(ran.stderr.replace(/\s+/g, " ")).toContain(problem);
  expect(ran.stderr).toMatch(/Your text is saved in .*course\.yaml/);
});

test("edit sends nothing if the editor removes the text", async () => {
  const { ran } = await editWith(`rm "$1"`, "");
  expect(ran.code).toBe(2);
  expect(ran.stderr).toContain("the editor removed the file; nothing was sent");
});

describe("editors", () => {
  test.each([
    ["a path in quotes with an argument", (path: string) => `"${path}" --wait`, ["--wait"]],
    ["an empty argument", (path: string) => `'${path}' -a ""`, ["-a", ""]],
    ["the home folder", () => '~/"my editor.sh"', []],
    ["a variable for it", () => 'WORD=b "$HOME/my editor.sh" a$WORD "\\""', ["a", '"']],
  ])("edit reads EDITOR as a shell does: %s", async (_, value, words) => {
    const r = await rigWith(COURSE);
    const path = join(r.folder, await r.write("my editor.sh", EDITOR));
    await chmod(path, 0o755);
    const temporary = join(r.folder, "a $(touch run) 'b");
    await mkdir(temporary);
    const environment = { EDITOR: value(path), TMPDIR: temporary };
    const ran = await r.run(["courses", "edit", id(1)], { terminal: true, environment });
    expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining("Nothing was changed")]);
    const seen = (await readFile(join(r.folder, "words"), "utf8")).split("\n").slice(0, -1);
    expect(seen).toEqual([...words, expect.stringMatching(/^.*\/a \$\(touch run\) 'b\/.*\.yaml$/)]);
    await expect(access(join(r.folder, "run"))).rejects.toThrow();
  });

  test("edit reads EDITOR as words with quotes on Windows", async () => {
    const r = await rigWith(COURSE);
    await r.write("my editor.sh", EDITOR);
    await mkdir(join(r.folder, "bin"));
    await symlink("/bin/sh", join(r.folder, "bin/sh.CMD"));
    const words = `"sh" 'my editor.sh' --a="b c" O'Brien $HOME ""`;
    const [out, err] = [new MemoryOutput(true), new MemoryOutput(true)];
    const environment = { EDITOR: words, TMPDIR: r.folder, PATH: `/nowhere;${r.folder}/bin` };
    const system = r.system({ out, err, terminal: true, environment });
    expect(await main(["courses", "edit", id(1)], { ...system, platform: "win32" })).toBe(0);
    const seen = (await readFile(join(r.folder, "words"), "utf8")).split("\n").slice(0, -2);
    expect(seen).toEqual(["--a=b c", "O'Brien", "$HOME", ""]);
  });

  test("edit gives the editor no API key, but every other variable", async () => {
    const script = `env > "$HOME/seen"`;
    const r = await rigWith(COURSE);
    await r.write("editor.sh", script);
    const keys = { CATALOG_API_KEY_OLD: DEFAULT_KEY, CATALOG_API_KEYS: "kept" };
    const environment = { EDITOR: `sh ${r.folder}/editor.sh`, TMPDIR: r.folder, ...keys };
    await r.run(["courses", "edit", id(1)], { terminal: true, environment });
    const seen = await readFile(join(r.folder, "seen"), "utf8");
    expect(seen).not.toContain(DEFAULT_KEY);
    expect(seen).toContain("CATALOG_API_KEYS=kept\n");
    expect(seen).toContain(`CATALOG_BASE_URL=${r.sandbox.baseUrl}\n`);
  });

  test.each([
    ["no-such-editor --wait", {}, "cannot run no-such-editor --wait: command not found"],
    ['no-such-editor -a ""', {}, 'cannot run no-such-editor -a "": command not found'],
    ['vi ""', { PATH: "/nowhere" }, 'cannot run vi "": cannot find the shell sh'],
  ])("edit names an editor that does not exist: %s", async (EDITOR, variables, problem) => {
    const r = await rigWith(COURSE);
    const environment = { EDITOR, TMPDIR: r.folder, ...variables };
    const ran = await r.run(["courses", "edit", id(1)], { terminal: true, environment });
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain(` ${problem}\n`);
    expect(ran.stderr).toContain("To use another editor, set VISUAL or EDITOR.");
  });
});

test.each([
  ["SIGTERM", 143],
  ["SIGHUP", 129],
] as const)("edit names the file with the text if %s stops the editor", async (signal, code) => {
  const r = await rigWith(COURSE);
  await r.write("editor.sh", `echo '# more' >> "$1"; touch ${r.folder}/edited; exec sleep 9\n`);
  const environment = { EDITOR: `sh ${r.folder}/editor.sh`, TMPDIR: r.folder };
  const running = startCommand(r, ["courses", "edit", id(1)], environment, "", true);
  await vi.waitFor(() => access(join(r.folder, "edited")), 5000);
  running.stop(signal);
  expect(await running.code).toBe(code);
  expect(running.err.text).toMatch(/Your text is saved in .*course\.yaml/);
});
