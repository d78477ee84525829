/** The built program with closed pipes and full disks. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { IS_LONG, someOf } from "../long.ts";
import {
  example,
  linesOf,
  newFile,
  newFolder,
  numberedCourses,
  runScript,
  STACK,
  serve,
  startCatalog,
  storedIds,
} from "./rig.ts";

/** Runs a pipe. @returns the output of the right side, then the exit code of `catalog` on the left */
const CODE = "{ catalog $1; echo $? >&2; } |";

describe("closed pipes", () => {
  test("a closed pipe ends a long listing quietly and aborts the requests in flight", async () => {
    const service = await serve(numberedCourses(2000));
    const folder = await newFolder();
    const script = "{ catalog courses ls --all -o ndjson --verbose; echo $? >code; } | head -n 1";
    const ended = await runScript(script, [], { ...service, folder });
    expect(ended.code).toBe(0);
    expect(linesOf(ended.stdout)).toHaveLength(1);
    expect(await readFile(join(folder, "code"), "utf8")).toBe("0\n");
    expect(ended.stderr).not.toMatch(/error/);
    expect(service.sandbox.requests()).toBeLessThan(20);
    // Pages in flight are aborted; retries would keep the program running for seconds.
    expect(ended.stderr).not.toMatch(/attempt [2-9]/);
  });

  const LINES = [
    [`courses check ${example("broken.yaml")} ${example("courses")}`],
    ["courses ls --all -o table"],
    ["--version"],
  ] as const;

  test.each(someOf(LINES, 1))(
    "a closed pipe is not an error, even before the first read: %s",
    async (words) => {
      const { code, stderr } = await runScript(
        `${CODE} :`,
        [words],
        await serve(numberedCourses(300)),
      );
      expect(code).toBe(0);
      // A closed pipe does not change the result of a check.
      expect(stderr).toBe(words.includes("broken") ? "3\n" : "0\n");
    },
  );

  test.runIf(IS_LONG)("a closed pipe for messages changes no output and no exit code", async () => {
    const service = await serve(numberedCourses(2));
    const script = "{ catalog courses ls --verbose 2>&1 >&3 | :; } 3>&1";
    const { code, stdout } = await runScript(script, [], service);
    expect(code).toBe(0);
    expect(linesOf(stdout)).toHaveLength(2);
  });

  test("a closed pipe does not stop create, which creates all courses and exits with 1", async () => {
    const service = await serve();
    const path = await newFile("courses.json", JSON.stringify(numberedCourses(12)));
    const running = await startCatalog(["courses", "create", path], service);
    running.child.stdout?.destroy();
    const { code, stderr } = await running.ended;
    expect(await storedIds(service)).toHaveLength(12);
    expect(stderr).not.toMatch(STACK);
    // The ids are lost, so the run must fail.
    expect(code).toBe(1);
  });
});

describe.skipIf(!existsSync("/dev/full"))("full disks", () => {
  test.each(someOf([["courses ls -o table"], ["sandbox --port 0"], ["--version"]], 1))(
    "a full disk is an error with a message for %s",
    async (words) => {
      const service = await serve(numberedCourses(2));
      const ended = await runScript("catalog $1 > /dev/full", [words], service);
      expect(ended.stderr).not.toMatch(STACK);
      expect(ended.stderr).toMatch(/error.*no space left/);
      expect(ended.code).toBe(1);
    },
  );

  test("a full disk does not stop create, which reports it and lists any ids that were not written", async () => {
    const service = await serve();
    const path = await newFile("courses.json", JSON.stringify(numberedCourses(12)));
    const ended = await runScript('catalog courses create "$1" > /dev/full', [path], service);
    expect(ended.code).toBe(1);
    expect(ended.stderr).toMatch(/^error: .*no space left/m);
    expect(ended.stderr).not.toMatch(STACK);
    // Either all are created, or the message lists the ids: a course with an unknown id is lost.
    const ids = await storedIds(service);
    const untold = ids.filter((id) => !ended.stderr.includes(id));
    if (ids.length !== 12) expect(untold).toEqual([]);
  });

  test.runIf(IS_LONG)("a full disk ends a listing and aborts the requests in flight", async () => {
    const service = await serve(numberedCourses(1000));
    const words = "courses ls --all -o ndjson --verbose";
    const { code, stderr } = await runScript("catalog $1 > /dev/full", [words], service);
    expect(code).toBe(1);
    expect(stderr).not.toMatch(/attempt [2-9]/);
  });

  test.runIf(IS_LONG)("a full disk for messages changes no data and no exit code", async () => {
    const words = `courses create ${example("broken.yaml")}`;
    const ended = await runScript("catalog $1 2> /dev/full", [words], await serve());
    expect([ended.code, ended.stdout]).toEqual([3, ""]);
  });
});
