/** Only CSV output may contain raw control characters of data: a pipe can also lead to a terminal. */
import fc from "fast-check";
import { load } from "js-yaml";
import { expect, test } from "vitest";
import { escapeControls, escapeField, safeJson } from "../../src/base/text.ts";
import { yamlText } from "../../src/base/yaml-text.ts";
import { anyCharacter } from "../any-character.ts";
import { expectSafe, PROVIDER, startHostileService } from "../hostile/service.ts";
import { UNSAFE } from "../output/rig.ts";
import { id, numberedCourse, rigWith } from "./helpers.ts";

/** Sets a title, colors, is a C1 sequence, reverses, and ends lines of some terminals. */
const NAME = "N \x1b]0;T\x07\x1b[31m RED \x9b1m \u202e \u2028 \x7f \u200e X";
const COURSE = numberedCourse(1, {
  name: NAME,
  long_description: `${"A long line of text. ".repeat(6)}\n${NAME}\n`,
  prices: [{ type: "single_course", price: "1", currency: "EUR", [NAME]: NAME }],
});

/** A service with that course and a provider of that name, with a run that changed the course, and files. */
async function hostileService() {
  const provider = { ...PROVIDER, name: NAME, slug: NAME };
  const service = await startHostileService(({ url, method }) => {
    if (method !== "GET") return JSON.stringify([{ ...COURSE, name: `${NAME} new` }]);
    return JSON.stringify([url.includes("/providers") ? provider : COURSE]);
  });
  const { r, run } = service;
  const name = "\u202e\x9b\x1b[31m.json";
  await r.write(`courses/${name}`, safeJson({ ...numberedCourse(1), name: `${NAME} changed` }));
  await r.write(`bad/${name}`, safeJson({ name: NAME, [NAME]: NAME, pace: NAME }));
  await run(["courses", "update", id(1), "--name", `${NAME} new`, "--record", "run.ndjson"]);
  return service;
}

test.each([
  ["courses", "ls"],
  ["courses", "get", id(1)],
  ["courses", "get", NAME],
  ["courses", "ls", "--provider", NAME],
  ["providers", "ls"],
  ["courses", "diff", "courses"],
  ["courses", "push", "courses", "--dry-run"],
  ["courses", "create", "courses", "--verbose"],
  ["courses", "check", "bad"],
  ["history"],
  ["history", "run.ndjson"],
])(
  "%s %s %s prints no raw control character in any format, except in CSV without a terminal",
  async (...words) => {
    const { run } = await hostileService();
    let printed = 0;
    for (const format of ["", "table", "json", "ndjson", "yaml", "id", "csv"]) {
      // On a terminal, CSV is escaped, too.
      for (const terminal of format === "csv" ? [true] : [false, true]) {
        const ran = await run([...words, ...(format === "" ? [] : ["-o", format])], { terminal });
        printed += ran.stdout.length + ran.stderr.length;
        const isTsv = format === "" && !terminal;
        expectSafe({ ...ran, stdout: isTsv ? ran.stdout.replaceAll("\t", "") : ran.stdout });
      }
    }
    expect(printed).toBeGreaterThan(0);
  },
);

test("JSON, YAML and tab-separated fields keep any string and contain no raw control character", () => {
  const unsafe = fc.constantFrom(...NAME, "\\", "\t", "\n", "\r", "\x00", "\ufeff");
  const text = fc.string({ unit: fc.oneof(anyCharacter, unsafe), maxLength: 50 });
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

test.each([
  ["courses ls", true],
  ["courses ls", false],
  ["courses ls --json", false],
  ["courses ls -o yaml", false],
  [`courses get ${id(1)}`, true],
  ["courses diff a.json", false],
])(
  "%s keeps the marks of direction that names in right-to-left scripts need, on a terminal: %s",
  async (line, terminal) => {
    const name = "network.py\u200e و C++\u200f \u061c1";
    const r = await rigWith(numberedCourse(1, { name }));
    await r.write("a.json", numberedCourse(1, { name: `${name}2` }));
    expect((await r.run(line, { terminal, columns: 100 })).stdout).toContain(name);
  },
);
