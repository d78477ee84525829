/** Only CSV output may contain raw control characters of data: a pipe can also lead to a terminal. */
import fc from "fast-check";
import { load } from "js-yaml";
import { expect, test } from "vitest";
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
import { id, jsonErrors, lines, numberedCourse } from "./helpers.ts";

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

test.each([
  "courses ls",
  `courses get ${id(1)}`,
  "providers ls",
  "courses diff courses",
  "courses push courses --dry-run",
  "courses check bad",
  "history",
  "history RUN",
])(
  "%s prints no raw control character in any format, except in CSV without a terminal",
  async (line) => {
    const { r, run } = await hostileService();
    const bad = safeJson({ name: NAME, [NAME]: NAME, pace: NAME });
    await r.write(HOSTILE_FILE.replace("courses", "bad"), bad);
    if (line.startsWith("history")) expect((await run(UPDATE)).code).toBe(0);
    const [name = ""] = (await run(["history"])).stdout.split("\t");
    const words = line.replace("RUN", name).split(" ");
    let printed = 0;
    for (const format of ["", "table", "json", "ndjson", "yaml", "id", "csv"]) {
      // On a terminal, CSV is escaped, too.
      for (const terminal of format === "csv" ? [true] : [false, true]) {
        const ran = await run([...words, ...(format === "" ? [] : ["-o", format])], { terminal });
        // Some commands do not have every format.
        if (ran.code === 2) continue;
        printed += ran.stdout.length;
        expectSafe({
          ...ran,
          stdout: format === "" ? ran.stdout.replaceAll("\t", "") : ran.stdout,
        });
        if (terminal) continue;
        parsed(format, ran.stdout);
        if (format === "json" || format === "ndjson") jsonErrors(ran);
      }
    }
    expect(printed).toBeGreaterThan(0);
  },
);

test("messages, warnings and errors contain no raw control character, as text or as JSON", async () => {
  const { r, run } = await hostileService();
  await r.write("new.json", { ...numberedCourse(2), [NAME]: 1 });
  for (const mode of [[], ["--json"], ["--verbose"]]) {
    expectSafe(await run(["courses", "create", "new.json", HOSTILE_FILE, ...mode]));
    expectSafe(await run(["courses", "get", NAME, ...mode]));
    expectSafe(await run(["courses", "ls", "--provider", "none", ...mode]));
  }
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
