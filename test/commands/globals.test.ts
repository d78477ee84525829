import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { VERSION } from "../../src/base/errors.ts";
import { rig } from "../rig.ts";
import { expectRefused, id, lines, numberedCourse, rigWith, unreliableService } from "./helpers.ts";

const two = () => rigWith(numberedCourse(1), numberedCourse(2));

test("a global flag works before and after the command, where the last one counts", async () => {
  const ran = await (await two()).run("-o json courses -o csv ls -o id");
  expect([ran.code, ran.stdout]).toEqual([0, `${id(1)}\n${id(2)}\n`]);
});

test("--quiet does not hide errors", async () => {
  expectRefused(await (await two()).run("courses ls -q --limit x"), 2);
});

test("--config selects the project config file, and --profile a profile in this file", async () => {
  const r = await two();
  const profiles = {
    local: { baseUrl: r.sandbox.baseUrl },
    broken: { baseUrl: "http://127.0.0.1:9" },
  };
  await r.write("other.json", { profiles });
  const environment = { CATALOG_BASE_URL: undefined };
  const line = "--config other.json courses ls -o id --profile";
  expect((await r.run(`${line} local`, { environment })).code).toBe(0);
  expect((await r.run(`${line} broken`, { environment })).code).toBe(6);
  expectRefused(await r.run(`${line} lokal`, { environment }), 2);
});

test("--api-key, --key and --token are unknown flags, because no flag accepts the API key", async () => {
  for (const flag of ["--api-key", "--key", "--token"]) {
    expectRefused(await (await two()).run(["courses", "ls", flag, "a.b"]), 2);
  }
});

test("--verbose logs each request with method, URL, status, duration and attempt, and why it is repeated", async () => {
  const r = await two();
  const { environment } = await unreliableService(r, () => ({ status: 503 }));
  const { stderr } = await r.run("courses ls -v --retries 1", { environment });
  const [first = "", why, second] = lines(stderr);
  expect(first).toMatch(
    /^GET http:\/\/127\.0\.0\.1:\d+\/developer\/v1\/courses\?limit=100&offset=0 .*\b503\b.*\b\d+ ms\b.*attempt 1$/,
  );
  expect([why, second]).toEqual(["retrying: HTTP 503", expect.stringMatching(/attempt 2$/)]);
});

test("--json prints a warning as one JSON object on one line of stderr, and --quiet hides the warning", async () => {
  const r = await two();
  await r.write("c/a.json", numberedCourse(1));
  await symlink("nowhere", join(r.folder, "c/b.yaml"));
  const line = "courses push c --dry-run --json";
  const { stderr } = await r.run(line);
  const warnings = stderr.match(/^\{"warning":.*$/gm)?.map((each) => JSON.parse(each));
  expect(warnings).toEqual([{ warning: expect.stringContaining("c/b.yaml") }]);
  expect((await r.run(`${line} -q`)).stderr).toBe("");
});

test.each([
  ["course ls -o id", `${id(1)}\n${id(2)}\n`],
  ["courses list -o id", `${id(1)}\n${id(2)}\n`],
  ["provider list --fields slug", "example-academy\n"],
  [`course view ${id(2)} -o id`, `${id(2)}\n`],
])("the alias catalog %s works", async (line, stdout) => {
  expect(await (await two()).run(line)).toMatchObject({ code: 0, stdout });
});

test("catalog without a command prints help and exits with 0", async () => {
  const r = await rig();
  for (const words of [[], ["courses"]]) {
    const ran = await r.run(words);
    expect(ran).toMatchObject({ code: 0, stderr: "", requests: [] });
    expect(ran.stdout).toBe((await r.run([...words, "--help"])).stdout);
  }
});

test.each(["-V", "--quiet --version", "courses ls --version"])(
  "catalog %s prints the version on stdout and exits with 0",
  async (line) => {
    const ran = await (await rig()).run(line);
    expect(ran).toEqual({ code: 0, stdout: `${VERSION}\n`, stderr: "", requests: [] });
  },
);
