/** `courses open`, without a terminal and with a program in place of the browser. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { serviceListing } from "../hostile/service.ts";
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

test("open opens nothing but web pages", async () => {
  const { run } = await serviceListing({ ...numberedCourse(1), url: "file:///etc/passwd" });
  const ran = await run(["courses", "open", id(1)], {
    terminal: true,
    environment: { BROWSER: "false" },
  });
  expect(ran.code).toBe(1);
  expect(ran.stderr).toContain("has no url for a browser");
});

test("open reports a course that does not exist with exit code 5", async () => {
  const r = await rigWith(numberedCourse(1));
  expect(await r.run(["courses", "open", ABSENT])).toMatchObject({ code: 5 });
});
