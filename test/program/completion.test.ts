/** What `catalog __complete` prints for the last word of an unfinished line. */
import { expect, test } from "vitest";
import { FIELD_NAMES } from "../../src/course/fields.ts";
import { LOWERABLE_RULES, RULES } from "../../src/course/problem.ts";
import { rig } from "../rig.ts";

/** The candidates with their descriptions for the last word of a line whose words are separated by single spaces. */
async function ask(line: string, service?: Awaited<ReturnType<typeof rig>>) {
  const words = line.split(" ");
  const r = service ?? (await rig());
  const ran = await r.run(["__complete", `:${words.at(-1)}`, ...words.slice(0, -1)]);
  expect(ran).toMatchObject({ code: 0, stderr: "", requests: [] });
  const lines = ran.stdout.split("\n").slice(0, -1);
  return Object.fromEntries(lines.map((text) => text.split("\t")).map(([v, d = ""]) => [v, d]));
}

test.each([
  ["courses pu", ["push", "pull", "publish"]],
  ["-q --json course pu", ["push", "pull", "publish"]],
  ["help courses ge", ["get"]],
  ["courses ls --p", ["--provider", "--published", "--profile"]],
  ["courses ls --published ", ["true", "false"]],
  ["courses ls --published = t", ["true"]],
  ["courses create --pace i", ["instructor_paced"]],
  ["courses check -o g", ["github"]],
  ["courses check --ignore ", LOWERABLE_RULES],
  ["courses ls --output=j", ["--output=json"]],
  ["courses check --report=htm", ["--report=html="]],
  ["courses ls --sort approval", ["approval_status"]],
  ["courses ls --fields id,na", ["id,name"]],
  ["explain ", [...new Set([...FIELD_NAMES, ...RULES])]],
  ["explain name ", []],
  ["api GET ", []],
  ["completion bash ", []],
  ["courses check --report j", ["junit="]],
  ["completion ", ["bash", "zsh", "fish", "powershell"]],
  ["api PA", ["PATCH"]],
])("completion offers what may come next in %j", async (line, values) => {
  expect(Object.keys(await ask(line))).toEqual(values);
});

test.each([
  "courses push a",
  "courses get ",
  "courses ls --provider ",
  "--config ca",
  "undo ",
  "courses get -- --pub",
  "courses check --report=\u001b[31m",
  "courses check --report html=",
])("completion sends no request, reads no setting and leaves %j to the shell", async (line) => {
  const service = await rig();
  await service.write(".catalogrc.json", "{");
  expect(await ask(line, service)).toEqual({});
});
