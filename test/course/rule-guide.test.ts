/** Runs the examples of every rule's guide through the command, and checks what the guide says. */
import { truncate } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { RULE_GUIDE } from "../../src/course/guide.ts";
import { RULES, type RuleId } from "../../src/course/problem.ts";
import { MAX_ALIASES, MAX_DEPTH, MAX_FILE_SIZE } from "../../src/files/limits.ts";
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
const NEED_PROVIDERS: readonly RuleId[] = [
  "provider-unknown",
  "provider-owned",
  "url-host",
  "url-other-provider",
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

async function check(fragment: string): Promise<Finding[]> {
  return await checkIn(await rigWithTwoProviders(), fragment);
}

async function checkIn(r: Rig, fragment: string, ...flags: string[]): Promise<Finding[]> {
  await r.write("course.yaml", `${completed(fragment)}\n`);
  return findingsOf(await r.run(["courses", "check", "course.yaml", "--json", ...flags]));
}

test("every rule has a wrong and a right example, except those that no text can show", () => {
  const bare = RULES.filter((id) => RULE_GUIDE[id].wrong === undefined);
  expect(bare.toSorted()).toEqual(WITHOUT_EXAMPLE.toSorted());
  expect(RULES.filter((id) => RULE_GUIDE[id].right === undefined)).toEqual(bare);
});

const OF_CHECK = RULES.filter((id) => RULE_GUIDE[id].wrong !== undefined);

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

test.each(NEED_PROVIDERS)(
  "check without --online does not report %s, as the guide of the rule says",
  async (id) => {
    expect(await check(RULE_GUIDE[id].wrong ?? "")).toEqual([]);
    expect(RULE_GUIDE[id].explanation).toContain("check --online");
  },
);

test("the guides of limits contain the limits of the loader", () => {
  expect(RULE_GUIDE["too-deep"].summary).toContain(` ${MAX_DEPTH} `);
  const expansion = new Intl.NumberFormat("en-US").format(MAX_ALIASES);
  expect(RULE_GUIDE["too-many-aliases"].summary).toContain(` ${expansion} `);
  expect(RULE_GUIDE["too-large"].summary).toContain(` ${MAX_FILE_SIZE / 1024 / 1024} MiB`);
});

test("the guides of required and read-only list every such field", () => {
  for (const name of Object.keys(course())) {
    expect(RULE_GUIDE.required.explanation).toContain(name);
  }
  for (const name of ["approval_status", "last_fetched_at", "schema_version"]) {
    expect(RULE_GUIDE["read-only"].explanation).toContain(name);
  }
});

test("every guide has a summary of one sentence and an explanation of one paragraph", () => {
  for (const { summary, explanation } of Object.values(RULE_GUIDE)) {
    expect(summary).toMatch(/^[^\n]+[^.]\.$/);
    expect(summary).not.toMatch(/[.!?] [A-Z]/);
    expect(explanation).toMatch(/^[^\n]+\.$/);
  }
});

describe("rules without an example", () => {
  test("the guides have the severity that check reports for encoding, unreadable and too-large", async () => {
    const r = await rigWithTwoProviders();
    await r.write("encoding.yaml", Buffer.from("name: caf\xe9\n", "latin1"));
    await r.write("too-large.yaml", "");
    await truncate(join(r.folder, "too-large.yaml"), MAX_FILE_SIZE + 1);
    for (const rule of ["encoding", "unreadable", "too-large"] as const) {
      const ran = await r.run(["courses", "check", `${rule}.yaml`, "--json"]);
      expect(findingsOf(ran)).toMatchObject([{ rule, severity: RULE_GUIDE[rule].severity }]);
    }
  });
});
