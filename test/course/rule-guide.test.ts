/** Runs the examples of every rule's guide through the command, and checks what the guide says. */
import { describe, expect, test } from "vitest";
import { RULE_GUIDE } from "../../src/course/guide.ts";
import { RULES } from "../../src/course/problem.ts";
import { DEFAULT_KEY, DEFAULT_PROVIDER } from "../../src/sandbox/seed.ts";
import { course, type Rig, type RunResult, rig } from "../rig.ts";

/** What no text of a readable size can show. */
const WITHOUT_EXAMPLE = [
  "encoding",
  "too-large",
  "unreadable",
  "mapping",
  "not-read",
  "too-many",
  "service",
  "same-course",
  "lost-characters",
  "other-id",
  "several-courses",
  "possible-move",
  "course-exists",
  "stale",
];
const SCHOOL = {
  ...DEFAULT_PROVIDER,
  id: "a53c0c1e-6b7c-4e0c-8f55-0f5d3f1f2b77",
  name: "Example School",
  slug: "example-school",
  url: "https://school.example",
};

function rigWithTwoProviders(): Promise<Rig> {
  const providers = [DEFAULT_PROVIDER, SCHOOL];
  return rig({ seed: { users: [{ key: DEFAULT_KEY, providers, courses: [] }] } });
}

/** The fragment with the required fields that it does not show before those that it does. */
function completed(fragment: string): string {
  const documents = fragment.split(/^---\n/m);
  return documents.map((document, index) => missingOf(document, index) + document).join("\n---\n");
}

function missingOf(document: string, index: number): string {
  if (!/^\w+:/m.test(document)) return "";
  const shown = new Set(Array.from(document.matchAll(/^\w+(?=:)/gm), ([key]) => key));
  if (shown.has("provider")) shown.add("provider_id");
  const fields = Object.entries(course({ url: `https://academy.example/courses/${index}` }));
  return fields
    .filter(([name]) => !shown.has(name))
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}\n`)
    .join("");
}

interface Finding {
  readonly rule: string;
  readonly severity: string;
  readonly message: string;
}

/** What a check found, be it in a file or about one that cannot be used at all. */
function findingsOf(ran: RunResult): Finding[] {
  // A file that cannot be read is reported on standard error.
  if (ran.stdout !== "") return JSON.parse(ran.stdout).problems;
  const failures = ran.stderr
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => ({ ...JSON.parse(line).error, severity: "error" }));
  return failures;
}

async function checkIn(r: Rig, fragment: string, ...flags: string[]): Promise<Finding[]> {
  await r.write("course.yaml", `${completed(fragment)}\n`);
  return findingsOf(await r.run(["courses", "check", "course.yaml", "--json", ...flags]));
}

test("every rule has its section in src/course/rule-guide.md", () => {
  expect(RULES.filter((id) => !(id in RULE_GUIDE))).toEqual([]);
});

test("every rule has a wrong and a right example, except those that no text can show", () => {
  const bare = RULES.filter((id) => RULE_GUIDE[id]?.wrong === undefined);
  expect(bare.toSorted()).toEqual(WITHOUT_EXAMPLE.toSorted());
  expect(RULES.filter((id) => RULE_GUIDE[id]?.right === undefined)).toEqual(bare);
});

const OF_CHECK = RULES.filter((id) => RULE_GUIDE[id]?.wrong !== undefined);

describe.each(OF_CHECK)("the guide of %s", (id) => {
  const { wrong = "", message = "", right = "", severity } = RULE_GUIDE[id];

  test(`the wrong example of ${id} breaks only this rule, with the message that the guide shows, and the right one breaks none`, async () => {
    const r = await rigWithTwoProviders();
    const findings = await checkIn(r, wrong, "--online");
    const found = findings.map((finding) => ({ rule: finding.rule, severity: finding.severity }));
    expect(found.length).toBeGreaterThan(0);
    expect(found).toEqual(found.map(() => ({ rule: id, severity })));
    expect(findings.map((finding) => finding.message).join("\n")).toBe(message);
    expect(await checkIn(r, right, "--online")).toEqual([]);
  });
});
