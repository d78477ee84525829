import stringWidth from "string-width";
import { expect, test } from "vitest";
import { CourseIndex } from "../../src/core/identify.ts";
import { planSync } from "../../src/core/sync.ts";
import { withoutFile } from "../../src/course/problem.ts";
import { id, lines, numberedCourse } from "../commands/helpers.ts";
import { IS_LONG } from "../long.ts";
import { PROVIDER_ID } from "../rig.ts";
import {
  expectNoInternals,
  expectSafe,
  HOSTILE_TEXT,
  PROVIDER,
  serviceListing,
  startHostileService,
} from "./service.ts";

const LENGTH = IS_LONG ? 200_000 : 20_000;
const filled = (piece: string): string => piece.repeat(Math.ceil(LENGTH / piece.length));
const TERMINAL = { terminal: true, columns: 80 } as const;
/** The maximum length of a message besides the data. */
const MESSAGE = 4000;

const LONG = filled(HOSTILE_TEXT);

test("a very long text is one row of a table, one line of a list, and complete in JSON", async () => {
  const course = { ...numberedCourse(1), name: LONG, long_description: filled("编程"), slug: LONG };
  const { run } = await serviceListing(course);
  const table = await run("courses ls --fields id,name,long_description", TERMINAL);
  expect(table.code).toBe(0);
  expect(lines(table.stdout)).toHaveLength(2);
  for (const line of lines(table.stdout)) expect(stringWidth(line)).toBeLessThanOrEqual(80);
  expectSafe(table);
  expect(lines((await run("courses ls")).stdout)).toHaveLength(1);
  const json = await run("courses ls --json");
  // A failed comparison would print all of it.
  expect(JSON.stringify(JSON.parse(json.stdout)) === JSON.stringify([course])).toBe(true);
});

test("a very long text is truncated in confirmations, plans and messages", async () => {
  const providers = JSON.stringify([{ ...PROVIDER, name: LONG, slug: LONG, domain: LONG }]);
  const body = JSON.stringify([numberedCourse(1, { name: LONG })]);
  const { r, run } = await startHostileService(({ url }) =>
    url.includes("/providers") ? providers : body,
  );
  await r.write("a.json", numberedCourse(1));
  for (const line of [
    `courses rm ${id(1)}`,
    "courses push --dry-run a.json",
    "courses ls --provider unknown",
    "courses check --online a.json",
  ]) {
    const ran = await run(line, { ...TERMINAL, input: "n\n" });
    expectNoInternals(ran);
    const { length } = ran.stdout + ran.stderr;
    expect([line, length < MESSAGE]).toEqual([line, true]);
  }
});

test.runIf(IS_LONG)("push plans more deletions than a function call accepts arguments", () => {
  // The stack of a test is four times that of the program.
  const remote = Array.from({ length: 600_000 }, (_, index) => {
    return { id: id(index + 1), provider_id: PROVIDER_ID };
  });
  const { steps } = planSync([withoutFile(numberedCourse(0))], new CourseIndex(remote), {
    prune: true,
    providerIds: new Set([PROVIDER_ID]),
  });
  expect(steps.filter(({ action }) => action === "delete")).toHaveLength(remote.length);
});

const nested = (depth: number): string => {
  const nested = `${"[".repeat(depth)}${"]".repeat(depth)}`;
  const course = { ...numberedCourse(1), certificate: "nested", extra: "nested" };
  return `[${JSON.stringify(course).replaceAll('"nested"', nested)}]`;
};
const LINES = [
  "courses ls --json",
  `courses get ${id(1)} -o yaml`,
  "courses pull out",
  `courses rm --yes ${id(1)}`,
  "courses diff a.json",
];

test("a response of 500 levels is accepted by every command", async () => {
  const body = nested(500);
  const { r, run } = await startHostileService(({ url }) =>
    url.includes("/courses") ? body : undefined,
  );
  await r.write("a.json", JSON.stringify(numberedCourse(1)));
  for (const words of LINES) {
    const ran = await run(words);
    expectNoInternals(ran);
    expect({ words, code: ran.code }).toEqual({ words, code: 0 });
  }
});
