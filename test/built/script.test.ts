/** Shell scripts that pipe ids from one command into the next. */
import { expect, test } from "vitest";
import {
  example,
  linesOf,
  newFolder,
  numberedCourses,
  pathWithCatalog,
  readRecords,
  runCatalog,
  runScript,
  serve,
  storedIds,
  UUID,
} from "./rig.ts";

test("built program: a script creates, publishes and deletes a course by the id that create prints", async () => {
  const script = `
    id=$(catalog courses create "$1") && catalog courses publish "$id" &&
    catalog courses get "$id" --fields published &&
    catalog courses rm --yes "$id" && echo "$id"
    catalog courses ls --all -o id
  `;
  const seed = ["--seed", example("providers.json")];
  const command = ["sh", "-c", script, "sh", example("one.yaml")];
  const ended = await runCatalog(["sandbox", ...seed, "--", ...command], {
    environment: { PATH: await pathWithCatalog() },
  });

  expect(ended).toMatchObject({ code: 0, signal: null });
  const [id = "", ...course] = linesOf(ended.stdout).reverse();
  expect(id).toMatch(UUID);
  // The list after the id is empty: the course is deleted.
  expect(JSON.parse(course.reverse().join("\n"))).toEqual({ published: true });
});

test("built program: a script stops at the first command that fails", async () => {
  const { environment } = await serve();
  const ended = await runScript(
    'set -e; id=$(catalog courses create "$1"); catalog courses publish "$id"; echo reached',
    [example("broken.yaml")],
    { environment: { ...environment } },
  );
  expect(ended).toMatchObject({ code: 3, stdout: "" });
  expect(ended.stderr).toContain("broken.yaml");
});

test("built program: a pipe passes all ids of a listing to the next command", async () => {
  const service = await serve([
    ...numberedCourses(30),
    { ...numberedCourses(31)[30], published: false },
    { ...numberedCourses(32)[31], published: false },
  ]);
  const ended = await runScript(
    `
      catalog courses ls --published false -o id | catalog courses publish - &&
      catalog courses ls --all --published true -o id | wc -l &&
      catalog courses ls --all -o id | head -n 2 | catalog courses rm --yes - &&
      catalog courses ls --all -o id | wc -l
    `,
    [],
    service,
  );
  expect(ended).toMatchObject({ code: 0 });
  expect(linesOf(ended.stdout).map(Number)).toEqual([32, 30]);
  expect(await storedIds(service)).toHaveLength(30);
});

test("built program: a pipe without ids does nothing and exits with 0", async () => {
  const { sandbox, environment } = await serve();
  const ended = await runScript("catalog courses ls -o id | catalog courses publish -", [], {
    environment: { ...environment },
  });
  expect(ended).toMatchObject({ code: 0, stdout: "" });
  expect(sandbox.requests()).toBe(1);
});

test("built program: undo restores deleted courses under their ids", async () => {
  const service = await serve(numberedCourses(3));
  const before = await storedIds(service);
  const folder = await newFolder();
  const options = { ...service, folder };

  const deletion = await runCatalog(["courses", "rm", "--yes", "--quiet", ...before], options);
  expect(deletion).toMatchObject({ code: 0, stdout: "" });
  expect(await storedIds(service)).toEqual([]);

  const [record, ...others] = await readRecords(folder);
  expect(others).toEqual([]);
  const [undo = ""] = /catalog undo \S+/.exec(deletion.stderr) ?? [];
  expect(undo).toBe(`catalog undo ${record?.run}`);
  const restoration = await runScript(`${undo} --yes -o id`, [], options);
  expect(restoration.code).toBe(0);
  // A run is undone from its end.
  expect(linesOf(restoration.stdout)).toEqual(before.toReversed());
  expect((await storedIds(service)).sort()).toEqual(before.toSorted());
});
