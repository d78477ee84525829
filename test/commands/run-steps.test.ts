/** The common steps of all commands that change courses: they name the target and the undo command, and skip unchanged courses. */
import { expect, test } from "vitest";
import { derivedId } from "../../src/course/request-body.ts";
import { PROVIDER_ID, type Rig } from "../rig.ts";
import {
  id,
  jsonMessages,
  jsonRows,
  lines,
  numberedCourse,
  PROVIDERS,
  recordFiles,
  recordLines,
  rigWith,
} from "./helpers.ts";
import { push, rigWithTwoProviders, writeRequests } from "./push-files.ts";

/** A rig with three courses, files with a new and a changed one, a plan, and a run to undo. */
async function prepared(): Promise<Rig> {
  const r = await rigWith(numberedCourse(1), numberedCourse(2), numberedCourse(3));
  await r.write("new.json", numberedCourse(9, { id: undefined }));
  await r.write("changed.json", [numberedCourse(1), numberedCourse(2, { name: "New" })]);
  await r.write("same.json", numberedCourse(1));
  for (const line of ["diff new.json --out plan.json", `unpublish ${id(3)} --record run.ndjson`]) {
    expect((await r.run(["courses", ...line.split(" ")])).code).toBe(0);
  }
  return r;
}

/** A command line of each command that changes courses, without a question. */
const CHANGES: readonly string[] = [
  "courses create new.json",
  `courses update ${id(1)} --name New`,
  `courses unpublish ${id(1)}`,
  `courses publish ${id(3)}`,
  `courses rm --yes ${id(1)}`,
  "courses push new.json changed.json",
  "courses push changed.json --prune --yes",
  "courses push --plan plan.json",
  "undo --yes run.ndjson",
];

const targetLines = (stderr: string) => lines(stderr).filter((line) => line.startsWith("Target: "));

test.each(CHANGES)("catalog %s names its target before the first change", async (line) => {
  const r = await prepared();
  const ran = await r.run(line);
  const target = `Target: ${r.sandbox.baseUrl} as Example Academy`;
  expect([ran.code, targetLines(ran.stderr)]).toEqual([0, [target]]);
  const [first = ""] = writeRequests(ran);
  const before = ran.requests.slice(0, ran.requests.indexOf(first));
  expect(before.filter((request) => request === PROVIDERS)).toEqual([PROVIDERS]);
  expect(ran.requests.slice(before.length)).not.toContain(PROVIDERS);
});

test("unpublish names the profile and the number of providers in its target", async () => {
  const r = await rigWithTwoProviders(numberedCourse(1));
  await r.write(".catalogrc.json", { profiles: { live: { retries: 1 } } });
  const ran = await r.run(`courses unpublish ${id(1)} --profile live`);
  const target = `Target: ${r.sandbox.baseUrl} (2 providers, profile live)`;
  expect([ran.code, targetLines(ran.stderr)]).toEqual([0, [target]]);
});

const KEYED = derivedId({ provider_id: PROVIDER_ID, key: "SKU-1" });

test.each([
  `courses update ${id(1)} --set name="Course 1"`,
  `courses publish ${id(1)}`,
  `courses unpublish ${id(3)}`,
  "courses push same.json",
  "courses update key.csv",
])(
  "catalog %s sends and records nothing if nothing differs, and its last notice has the target",
  async (line) => {
    const r = await rigWith(
      numberedCourse(1),
      numberedCourse(3, { published: false }),
      numberedCourse(4, { id: KEYED }),
    );
    await r.write("same.json", numberedCourse(1));
    await r.write("key.csv", "key,name\nSKU-1,Course 4\n");
    const words = line.split(/ (?=[^"]*(?:"[^"]*"[^"]*)*$)/);
    const ran = await r.run([...words, "--json"]);
    expect([ran.code, writeRequests(ran)]).toEqual([0, []]);
    expect(jsonRows(ran)).toMatchObject([{ action: "unchanged", status: "unchanged" }]);
    expect(jsonMessages(ran).at(-1)).toMatchObject({
      counts: { unchanged: 1, updated: 0 },
      target: { baseUrl: r.sandbox.baseUrl, providers: ["Example Academy"] },
    });
    expect(ran.stderr).not.toContain("Target: ");
    expect(await recordFiles(r)).toEqual([]);
  },
);

test("push --record writes an undo record even if nothing changed", async () => {
  const r = await prepared();
  await push(r, ["same.json", "--record", "none.ndjson"]);
  const written = await recordLines(`${r.folder}/none.ndjson`);
  expect(written).toMatchObject([{ catalog: "run", command: "courses push" }]);
});
