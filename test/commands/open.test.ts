/** `courses open`, without a terminal and with a program in place of the browser. */
import { chmod, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { main } from "../../src/main.ts";
import { DEFAULT_KEY } from "../../src/sandbox/seed.ts";
import { serviceListing } from "../hostile/service.ts";
import { MemoryOutput } from "../rig.ts";
import { ABSENT, id, numberedCourse, rigWith } from "./helpers.ts";

test("open prints the url of the course if there is no terminal", async () => {
  const r = await rigWith(numberedCourse(1));
  expect(await r.run(["courses", "open", id(1)])).toMatchObject({
    code: 0,
    stdout: `${numberedCourse(1).url}\n`,
    stderr: "",
  });
});

test("open starts BROWSER with the url on a terminal", async () => {
  const r = await rigWith(numberedCourse(1));
  await r.write("browser.sh", 'printf %s "$1" > opened.txt\n');
  const environment = { BROWSER: "sh browser.sh" };
  const ran = await r.run(["courses", "open", id(1)], { terminal: true, environment });
  expect(ran).toMatchObject({ code: 0, stdout: "" });
  const opened = await readFile(join(r.folder, "opened.txt"), "utf8");
  expect(opened).toBe(numberedCourse(1).url);
});

test("open gives BROWSER the url and no API key, and a shell reads BROWSER but not the url", async () => {
  const url = "https://academy.example/$(>run)?a=1&b='2'";
  const r = await rigWith(numberedCourse(1, { url }));
  await r.write("my browser.sh", 'printf %s "$1 $2" > opened.txt; env > seen.txt\n');
  const environment = { BROWSER: `sh "$HOME/my browser.sh" --new-tab` };
  const ran = await r.run(["courses", "open", id(1)], { terminal: true, environment });
  expect(ran).toMatchObject({ code: 0, stdout: "" });
  expect(await readFile(join(r.folder, "opened.txt"), "utf8")).toBe(`--new-tab ${url}`);
  expect(await readFile(join(r.folder, "seen.txt"), "utf8")).not.toContain(DEFAULT_KEY);
  await expect(readFile(join(r.folder, "run"))).rejects.toThrow("ENOENT");
});

/** Opens course 1 on Windows with a program that ends with 1, in a project with another one of its name. */
async function openOnWindows(program: string, variables: Record<string, string>) {
  const r = await rigWith(numberedCourse(1));
  await r.write(`bin/${program}`, '#!/bin/sh\nprintf %s "$1" > opened.txt; exit 1\n');
  await r.write(program, "#!/bin/sh\nprintf hostile > opened.txt; exit 1\n");
  await chmod(join(r.folder, "bin", program), 0o755);
  await chmod(join(r.folder, program), 0o755);
  const [out, err] = [new MemoryOutput(true), new MemoryOutput(true)];
  const environment = { Path: `.;"";"${join(r.folder, "bin")}"`, ...variables };
  const system = r.system({ out, err, terminal: true, environment });
  const code = await main(["courses", "open", id(1)], { ...system, platform: "win32" });
  const opened = await readFile(join(r.folder, "opened.txt"), "utf8");
  return { code, opened, stderr: err.text };
}

test("open succeeds on Windows although explorer.exe exits with 1 after success", async () => {
  const url = numberedCourse(1).url;
  const usual = await openOnWindows("explorer.exe", {});
  expect(usual).toMatchObject({ code: 0, opened: url });
  expect(usual.stderr).not.toContain("could not be opened");
  const chosen = await openOnWindows("explorer.exe", { BROWSER: "explorer.exe" });
  expect(chosen).toMatchObject({ code: 0, opened: url });
  const failed = await openOnWindows("browser.exe", { BROWSER: '"browser.exe"' });
  expect(failed).toMatchObject({ code: 2, opened: url });
  expect(failed.stderr).toContain('cannot open the browser: "browser.exe" ended with exit code 1');
});

test("open exits with 1 for a url that is not a web page", async () => {
  const { run } = await serviceListing({ ...numberedCourse(1), url: "file:///etc/passwd" });
  const ran = await run(["courses", "open", id(1)], {
    terminal: true,
    environment: { BROWSER: "false" },
  });
  expect(ran.code).toBe(1);
  expect(ran.stderr).toContain("has no url for a browser");
});

test("open exits with 5 for a course that does not exist", async () => {
  const r = await rigWith(numberedCourse(1));
  expect(await r.run(["courses", "open", ABSENT])).toMatchObject({ code: 5 });
});
