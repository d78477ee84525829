/** The built program with closed pipes and full disks. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { IS_LONG } from "../long.ts";
import {
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
  test.runIf(IS_LONG)(
    "a full disk does not stop create, which reports it and lists any ids that were not written",
    async () => {
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
    },
  );
});

const MOUNT = "mount -t tmpfs -o size=64k none out";
const CAN_MOUNT =
  spawnSync("unshare", ["-rm", "sh", "-c", `cd "$(mktemp -d)"; mkdir out; ${MOUNT}`]).status === 0;

test.runIf(CAN_MOUNT)(
  "pull onto a full disk reports the first course that does not fit, and skips the others",
  async () => {
    const long = { long_description: "A long text. ".repeat(800) };
    const service = await serve(numberedCourses(20).map((course) => ({ ...course, ...long })));
    const script = `mkdir out; unshare -rm sh -c '${MOUNT}; exec catalog courses pull out'`;
    const ended = await runScript(script, [], { ...service, folder: await newFolder() });
    expect(ended.code).toBe(1);
    expect(ended.stderr.match(/no space left on device/g)).toHaveLength(1);
    expect(ended.stderr).toMatch(/^Courses in files: \d+ written, 1 failed, \d+ skipped\.$/m);
  },
);
