/** Only CSV output may contain raw control characters of data: a pipe can also lead to a terminal. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse as parseCsv } from "csv-parse/sync";
import fc from "fast-check";
import { load } from "js-yaml";
import { describe, expect, test } from "vitest";
import { escapeControls, escapeField, safeJson } from "../../src/base/text.ts";
import { yamlText } from "../../src/base/yaml-text.ts";
import { anyCharacter } from "../any-character.ts";
import {
  expectSafe,
  type HostileService,
  PROVIDER,
  startHostileService,
} from "../hostile/service.ts";
import { UNSAFE } from "../output/rig.ts";
import { id, jsonErrors, lines, numberedCourse, recordFiles } from "./helpers.ts";

/** Sets a title, colors, is a C1 sequence, reverses, and ends lines of some terminals. */
const NAME = "N \x1b]0;T\x07\x1b[31m RED \x9b1m \u202e \u2028 \x7f \u200e X";
const COURSE = numberedCourse(1, {
  name: NAME,
  long_description: `${"A long line of text. ".repeat(6)}\n${NAME}\n`,
  prices: [{ type: "single_course", price: "1", currency: "EUR", [NAME]: NAME }],
});
const HOSTILE_FILE = "courses/\u202e\x9b\x1b[31m.json";

/** A service with that course and a provider of that name, and a file that changes the course. */
async function hostileService(): Promise<HostileService> {
  const service = await startHostileService(({ url, method }) => {
    if (method !== "GET") return JSON.stringify([{ ...COURSE, name: `${NAME} new` }]);
    if (url.includes("/providers"))
      return JSON.stringify([{ ...PROVIDER, name: NAME, slug: NAME }]);
    return JSON.stringify([COURSE]);
  });
  await service.r.write(HOSTILE_FILE, safeJson(numberedCourse(1, { name: `${NAME} changed` })));
  return service;
}

/** What a format prints as data, if it does. */
function parsed(format: string, text: string): unknown {
  if (format === "json") return JSON.parse(text);
  if (format === "ndjson") return lines(text).map((line) => JSON.parse(line));
  return format === "yaml" ? load(text) : undefined;
}

const UPDATE = ["courses", "update", id(1), "--name", `${NAME} new`];

describe("raw control characters", () => {
  test.each([
    "courses ls",
    `courses get ${id(1)}`,
    "providers ls",
    "courses diff courses",
    "courses push courses --dry-run",
    "courses check bad",
    "history",
    "history RUN",
  ])("%s prints no raw control character in any format except CSV", async (line) => {
    const { r, run } = await hostileService();
    const bad = safeJson({ name: NAME, [NAME]: NAME, pace: NAME });
    await r.write(HOSTILE_FILE.replace("courses", "bad"), bad);
    if (line.startsWith("history")) expect((await run(UPDATE)).code).toBe(0);
    const [name = ""] = (await run(["history"])).stdout.split("\t");
    const words = line.replace("RUN", name).split(" ");
    let printed = 0;
    for (const format of ["", "table", "json", "ndjson", "yaml", "id"]) {
      const ran = await run([...words, ...(format === "" ? [] : ["-o", format])]);
      // Some commands do not have every format.
      if (ran.code === 2) continue;
      printed += ran.stdout.length;
      expectSafe({ ...ran, stdout: format === "" ? ran.stdout.replaceAll("\t", "") : ran.stdout });
      parsed(format, ran.stdout);
      if (format === "json" || format === "ndjson") jsonErrors(ran);
    }
    expect(printed).toBeGreaterThan(0);
  });

  test("messages, warnings and errors contain no raw control character, as text or as JSON", async () => {
    const { r, run } = await hostileService();
    await r.write("new.json", JSON.stringify({ ...numberedCourse(2), [NAME]: 1 }));
    for (const mode of [[], ["--json"], ["--verbose"]]) {
      expectSafe(await run(["courses", "create", "new.json", HOSTILE_FILE, ...mode]));
      expectSafe(await run(["courses", "get", NAME, ...mode]));
      expectSafe(await run(["courses", "ls", "--provider", "none", ...mode]));
    }
  });
});

test.each(["json", "ndjson", "yaml", "csv"])(
  "courses ls -o %s prints control characters so that parsing returns the same data",
  async (format) => {
    const { run } = await hostileService();
    const fields = ["--fields", "id,name,prices"];
    const { id, name, prices } = COURSE;
    const { stdout } = await run(["courses", "ls", "-o", format, ...fields]);
    const rows = format === "csv" ? parseCsv(stdout, { columns: true }) : parsed(format, stdout);
    const wanted = { id, name, prices: format === "csv" ? JSON.stringify(prices) : prices };
    expect(rows).toEqual([wanted]);
    // CSV has no escape with the same meaning.
    expect(stdout.includes("\u202e")).toBe(format === "csv");
  },
);

test("courses ls escapes control characters in tab-separated lines without ambiguity", async () => {
  const { run, respondWith } = await hostileService();
  respondWith(() => JSON.stringify([{ ...COURSE, name: "\x1b\x9b\u202e\\u001b\t" }]));
  const { stdout } = await run(["courses", "ls", "--fields", "name"]);
  expect(stdout).toBe("\\u001b\\u009b\\u202e\\\\u001b\\t\n");
});

test("courses ls -o id prints only UUIDs, and fails for any other id", async () => {
  const { run, respondWith } = await hostileService();
  const ids = [id(1), `${id(2)}\n\x1b[31m`, "7", id(3)];
  const body = JSON.stringify(ids.map((one) => ({ ...COURSE, id: one })));
  respondWith(({ url }) => (url.includes("offset=0") || !url.includes("offset") ? body : "[]"));
  const ran = await run(["courses", "ls", "-o", "id"]);
  expect(ran).toMatchObject({ code: 1, stdout: "" });
  const quoted = JSON.stringify(ids[1]).replaceAll("\\", "\\");
  expect(ran.stderr).toContain(`error: an id must be a UUID, not ${quoted}\n`);
});

test("api escapes control characters in a body that is not JSON, except tabs and line breaks", async () => {
  const { run, respondWith } = await hostileService();
  respondWith(() => "a\tb\r\nc\rd\x1b[31m\x9b\u202e\n");
  const ran = await run(["api", "GET", "developer/v1/courses"]);
  expect(ran.stdout).toBe("a\tb\r\nc\\u000dd\\u001b[31m\\u009b\\u202e\n");
});

test("pull, plans, reports and records escape control characters without changing values", async () => {
  const { r, run } = await hostileService();
  const read = async (name: string): Promise<string> => {
    const text = await readFile(join(r.folder, name), "utf8");
    expect(text).not.toMatch(UNSAFE);
    return text;
  };
  for (const format of ["yaml", "json"]) {
    expect((await run(["courses", "pull", format, "--format", format])).code).toBe(0);
    const [file = ""] = await readdir(join(r.folder, format));
    expect(load(await read(join(format, file)))).toMatchObject({ name: NAME });
  }
  const again = await run(["courses", "diff", "yaml", "--exit-code"]);
  expect(again.code).toBe(0);
  expect((await run(["courses", "diff", "courses", "--out", "plan.ndjson"])).code).toBe(0);
  const [, step = ""] = lines(await read("plan.ndjson"));
  expect(JSON.parse(step).before.name).toBe(NAME);
  await run(["courses", "check", "courses", "--report", "sarif=r.sarif"]);
  JSON.parse(await read("r.sarif"));
  expect((await run(UPDATE)).code).toBe(0);
  const [record = ""] = await recordFiles(r);
  const written = await readFile(record, "utf8");
  expect(written).not.toMatch(UNSAFE);
  for (const line of lines(written)) JSON.parse(line);
});

test("JSON, YAML and tab-separated fields keep any string and contain no raw control character", () => {
  const text = fc.string({
    unit: fc.oneof(
      anyCharacter,
      fc.constantFrom(...NAME, "\\", "\t", "\n", "\r", "\x00", "\ufeff"),
    ),
    maxLength: 50,
  });
  fc.assert(
    fc.property(text, fc.boolean(), (given, isLong) => {
      const value = { [given]: isLong ? `${given} ${"word ".repeat(20)}\n${given}` : given };
      const [json, yaml, field] = [safeJson(value), yamlText(value), escapeField(given)];
      expect(JSON.parse(json)).toEqual(value);
      expect(load(yaml)).toEqual(value);
      expect(JSON.parse(`"${field.replaceAll('"', '\\"')}"`)).toBe(given);
      expect(json + field).not.toMatch(UNSAFE);
      expect(yaml.replaceAll("\t", "")).not.toMatch(UNSAFE);
      expect(JSON.parse(escapeControls(JSON.stringify(value, null, "\t")))).toEqual(value);
    }),
  );
});
