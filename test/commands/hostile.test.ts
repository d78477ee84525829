import { load } from "js-yaml";
import { describe, expect, test } from "vitest";
import { findField } from "../../src/course/fields.ts";
import { expectSafe, HOSTILE_TEXT } from "../hostile/service.ts";
import { PROVIDER_ID, rig } from "../rig.ts";
import { id, lines, numberedCourse, rigWith, unreliableService } from "./helpers.ts";

/** A terminal without a progress line, which a slow run would show. */
const TERMINAL = { terminal: true, columns: 100, environment: { TERM: "dumb" } } as const;

const COURSE = {
  ...numberedCourse(1),
  name: HOSTILE_TEXT,
  approval_status: HOSTILE_TEXT,
  audio: [HOSTILE_TEXT],
  certificate: { type: HOSTILE_TEXT, [HOSTILE_TEXT]: HOSTILE_TEXT },
  [HOSTILE_TEXT]: HOSTILE_TEXT,
};

async function serving(rows: unknown) {
  const r = await rig();
  const { environment } = await unreliableService(r, () => ({
    status: 200,
    body: JSON.stringify(rows),
  }));
  const run = (...words: string[]) =>
    r.run([...words, "--no-color"], {
      ...TERMINAL,
      environment: { ...TERMINAL.environment, ...environment },
    });
  const piped = (...words: string[]) => r.run(words, { environment });
  return { run, piped };
}

describe("text from the service on a terminal", () => {
  test.each(["table", "json", "ndjson", "yaml", "csv"])(
    "courses ls -o %s escapes hostile text from the service on a terminal",
    async (format) => {
      const { run } = await serving([COURSE, { ...COURSE, id: HOSTILE_TEXT }]);
      const ran = await run("courses", "ls", "-o", format);
      expect([ran.code, ran.stdout === ""]).toEqual([0, false]);
      expectSafe(ran);
    },
  );

  test("courses ls --fields escapes hostile text from the service on a terminal", async () => {
    const { run } = await serving([COURSE]);
    for (const format of ["table", "csv", "json"]) {
      expectSafe(await run("courses", "ls", "-o", format, "--fields", "name,certificate,audio[0]"));
    }
  });

  test.each(["json", "ndjson", "yaml", "csv", "id", "table"])(
    "courses get -o %s escapes hostile text from the service on a terminal",
    async (format) => {
      const { run } = await serving([COURSE]);
      const ran = await run("courses", "get", id(1), "-o", format);
      expect([ran.code, ran.stdout === ""]).toEqual([0, false]);
      expectSafe(ran);
    },
  );

  test("courses get escapes hostile text from the service in a block on a terminal", async () => {
    const { run } = await serving([COURSE]);
    const ran = await run("courses", "get", id(1));
    expect(ran.stdout).toContain("owned");
    expectSafe(ran);
  });

  test("courses ls prints hostile text on a terminal so that JSON and YAML parse to the same values", async () => {
    const { run } = await serving([COURSE]);
    expect(JSON.parse((await run("courses", "ls", "--json")).stdout)).toEqual([COURSE]);
    const known = Object.entries(COURSE).filter(([name]) => findField(name) !== undefined);
    const fields = known.map(([name]) => name).join();
    const yaml = await run("courses", "ls", "-o", "yaml", "--fields", fields);
    expect(load(yaml.stdout)).toEqual([Object.fromEntries(known)]);
  });

  test("courses ls prints a course with hostile text as one table row on one line", async () => {
    const { run } = await serving([COURSE, COURSE, { ...COURSE, id: id(2) }]);
    expect(lines((await run("courses", "ls")).stdout)).toHaveLength(3);
  });

  test("courses ls prints hostile text off a terminal as one tab-separated line or as complete JSON", async () => {
    const { piped } = await serving([COURSE]);
    expect(lines((await piped("courses", "ls")).stdout)).toHaveLength(1);
    expect(JSON.parse((await piped("courses", "ls", "--json")).stdout)).toEqual([COURSE]);
  });

  test.each([[], ["--json"], ["--verbose"]])(
    "courses ls escapes hostile text in hint, details, code and message of an error: %s",
    async (...words) => {
      for (const status of [400, 401, 404, 500]) {
        const r = await rig();
        const body = JSON.stringify({
          hint: HOSTILE_TEXT,
          details: HOSTILE_TEXT,
          code: HOSTILE_TEXT,
          message: HOSTILE_TEXT,
        });
        const { environment } = await unreliableService(r, () => ({ status, body }));
        const line = ["courses", "ls", "--no-color", ...words];
        const ran = await r.run(line, {
          ...TERMINAL,
          environment: { ...TERMINAL.environment, ...environment },
        });
        expect(ran.stderr).toContain("owned");
        expectSafe(ran);
      }
    },
  );

  test("commands escape hostile names of providers in a listing and in the candidates of an error", async () => {
    const provider = {
      id: PROVIDER_ID,
      name: HOSTILE_TEXT,
      slug: HOSTILE_TEXT,
      url: "https://x.example",
      domain: HOSTILE_TEXT,
    };
    const { run } = await serving([provider, { ...provider, id: id(9) }]);
    expectSafe(await run("providers", "ls"));
    expectSafe(await run("courses", "ls", "--provider", "unknown"));
    expectSafe(await run("courses", "ls", "--provider", HOSTILE_TEXT));
    expectSafe(await run("courses", "update", id(1), "--provider", "unknown"));
  });

  test("rm escapes hostile text in its confirmation and in its message about undo", async () => {
    const r = await rig();
    const { environment } = await unreliableService(r, ({ method }) =>
      method === "GET" ? { status: 200, body: JSON.stringify([COURSE]) } : { status: 204 },
    );
    const options = { ...TERMINAL, environment, input: "n\n" };
    const asked = (await r.run(["courses", "rm", id(1)], options)).stderr;
    expect(asked).toContain("owned");
    // The prompt itself moves the cursor, so only the name is checked.
    for (const evil of ["\x1b[2J", "\x1b]0;", "\x07", "\u202e", "\u2066", "\u2028"])
      expect(asked).not.toContain(evil);
    expectSafe(await r.run(["courses", "rm", "--yes", id(1), "--no-color"], options));
  });
});

describe("text from files and arguments on a terminal", () => {
  const QUOTED = JSON.stringify(HOSTILE_TEXT).replace(
    /[\x7f-\uffff]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

  test.each(["check", "create"])("%s escapes hostile keys, values and lines", async (verb) => {
    const r = await rig();
    const raw = "\u202e\u2066\u009b";
    await r.write("a.json", `{${QUOTED}: ${QUOTED}, "pace": ${QUOTED}}`);
    await r.write("b.yaml", `pace: "${raw}" # \x1b[2J ${raw}\n"${raw}": 1\nname: [\n`);
    for (const mode of [[], ["--json"]]) {
      const ran = await r.run(
        ["courses", verb, "a.json", "b.yaml", "--no-color", ...mode],
        TERMINAL,
      );
      expect(ran.code).toBe(3);
      expectSafe(ran);
    }
  });

  test.skipIf(process.platform === "win32")("commands escape a hostile file name", async () => {
    const r = await rig();
    const name = await r.write(`${HOSTILE_TEXT}.json`, "{}");
    expectSafe(await r.run(["courses", "check", name, "--no-color"], TERMINAL));
    expectSafe(await r.run(["courses", "create", name, "--no-color"], TERMINAL));
    expectSafe(await r.run(["courses", "check", `no${name}`, "--no-color"], TERMINAL));
  });

  test.each([
    ["courses", "ls", "--id", HOSTILE_TEXT],
    ["courses", "ls", "--limit", HOSTILE_TEXT],
    ["courses", "ls", "-o", HOSTILE_TEXT],
    ["courses", "ls", "--fields", HOSTILE_TEXT],
    ["courses", "ls", "--base-url", HOSTILE_TEXT],
    ["courses", `x${HOSTILE_TEXT}`],
    ["courses", "ls", `--${HOSTILE_TEXT}`],
    ["courses", "update", id(1), "--set", HOSTILE_TEXT],
    ["courses", "update", id(1), "--set", `pace=${HOSTILE_TEXT}`],
    ["courses", "create", "--name", "x", "--pace", HOSTILE_TEXT],
  ])("commands escape a hostile argument: %s %s %s", async (...words) => {
    const ran = await (await rig()).run([...words, "--no-color"], TERMINAL);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toMatch(/^error: /);
    expectSafe(ran);
  });

  test.each([
    [HOSTILE_TEXT, ""],
    ["-", HOSTILE_TEXT.replace("\n", "")],
  ])("publish escapes hostile text that names no course", async (word, input) => {
    const r = await rigWith(numberedCourse(1));
    const ran = await r.run(["courses", "publish", word, "--no-color"], { ...TERMINAL, input });
    expect(ran.code).toBe(5);
    expectSafe(ran);
  });

  test("check -o github prints one annotation per line, and no text can add a command", async () => {
    const r = await rig();
    await r.write("a.json", JSON.stringify({ "x\n::error::y": 1, "%0A::z::": 1 }));
    const ran = await r.run(["courses", "check", "a.json", "-o", "github"]);
    for (const line of lines(ran.stdout)) expect(line).toMatch(/^::(error|warning) file=a\.json,/);
  });
});
