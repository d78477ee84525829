/** Runs the examples of every rule's guide through the command, and checks what the guide says. */
import { expect, test } from "vitest";
import { RULE_GUIDE } from "../../src/course/guide.ts";
import { RULES } from "../../src/course/problem.ts";
import { type Finding, findings, jsonErrors } from "../commands/helpers.ts";
import { rigWithTwoProviders } from "../commands/push-files.ts";
import { course, type Rig } from "../rig.ts";

/** What no text of a readable size can show. */
const WITHOUT_EXAMPLE =
  "course-exists encoding lost-characters mapping not-read other-id possible-move same-course service several-courses stale too-large too-many unreadable";
/** The fragment with the required fields that it does not show before those that it does. */
function completed(fragment: string): string {
  const documents = fragment.split(/^---\n/m);
  return documents.map((document, index) => missingOf(document, index) + document).join("\n---\n");
}

function missingOf(document: string, index: number): string {
  const shown = (document.match(/^\w+(?=:)/gm) ?? []).map((key) =>
    key.replace(/^provider$/, "provider_id"),
  );
  const fields = Object.entries(course({ url: `https://academy.example/courses/${index}` }));
  const missing = fields.filter(([name]) => shown.length > 0 && !shown.includes(name));
  return missing.map(([name, value]) => `${name}: ${JSON.stringify(value)}\n`).join("");
}

/** What a check finds in a fragment, be it in the file or about one that cannot be used at all. */
async function checkIn(
  r: Rig,
  fragment: string,
): Promise<Pick<Finding, "rule" | "severity" | "message">[]> {
  await r.write("course.yaml", `${completed(fragment)}\n`);
  const ran = await r.run("courses check course.yaml --json --online");
  // A file that cannot be read is reported on standard error.
  if (ran.stdout === "") {
    return jsonErrors(ran).map(({ rule, message }) => ({
      rule: `${rule}`,
      severity: "error",
      message,
    }));
  }
  return [...findings(ran)];
}

test("every rule has its section in src/course/rule-guide.md", () => {
  expect(RULES.filter((id) => !(id in RULE_GUIDE))).toEqual([]);
});

test("every rule has a wrong and a right example, except those that no text can show", () => {
  const bare = RULES.filter((id) => RULE_GUIDE[id]?.wrong === undefined);
  expect(bare.toSorted().join(" ")).toBe(WITHOUT_EXAMPLE);
  expect(RULES.filter((id) => RULE_GUIDE[id]?.right === undefined)).toEqual(bare);
});

test.each(RULES.filter((id) => RULE_GUIDE[id]?.wrong !== undefined))(
  "the wrong example of %s breaks only this rule, with the message that the guide shows, and the right one breaks none",
  async (id) => {
    const { wrong = "", message, right = "", severity } = RULE_GUIDE[id];
    const r = await rigWithTwoProviders();
    const found = await checkIn(r, wrong);
    expect(new Set(found.map((each) => `${each.rule} ${each.severity}`))).toEqual(
      new Set([`${id} ${severity}`]),
    );
    expect(found.map((each) => each.message).join("\n")).toBe(message);
    expect(await checkIn(r, right)).toEqual([]);
  },
);
