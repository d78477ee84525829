/** Shell scripts that pipe ids from one command into the next. */
import { expect, test } from "vitest";
import { IS_LONG } from "../long.ts";
import {
  example,
  linesOf,
  numberedCourses,
  pathWithCatalog,
  runCatalog,
  runScript,
  serve,
  storedIds,
  UUID,
} from "./rig.ts";

test.runIf(IS_LONG)(
  "a script creates, publishes and deletes a course by the id that create prints",
  async () => {
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
  },
);

test("a pipe passes all ids of a listing to the next command", async () => {
  const service = await serve([
    ...numberedCourses(30),
    { ...numberedCourses(31)[30], published: false },
    { ...numberedCourses(32)[31], published: false },
  ]);
  const ended = await runScript(
    `
      catalog courses ls --published false -o id | catalog courses publish - &&
      catalog courses ls --all --published true -o id | wc -l &&
      catalog courses ls --all -o id | head -n 2 | catalog courses rm --yes -
    `,
    [],
    service,
  );
  expect(ended).toMatchObject({ code: 0 });
  expect(linesOf(ended.stdout).map(Number)).toEqual([32]);
  expect(await storedIds(service)).toHaveLength(30);
});

test.runIf(IS_LONG)("publish without ids in its pipe does nothing and exits with 0", async () => {
  const { sandbox, environment } = await serve();
  const ended = await runScript("catalog courses ls -o id | catalog courses publish -", [], {
    environment: { ...environment },
  });
  expect(ended).toMatchObject({ code: 0, stdout: "" });
  expect(sandbox.requests()).toBe(1);
});
