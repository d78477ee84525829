import { expect, test } from "vitest";
import { expectSafe, HOSTILE_TEXT } from "../hostile/service.ts";
import { rig } from "../rig.ts";
import { id, numberedCourse, unreliableService } from "./helpers.ts";

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
