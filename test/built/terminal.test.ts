import { expect, test } from "vitest";
import {
  HAS_TERMINAL,
  newFolder,
  numberedCourses,
  readRecords,
  STACK,
  serve,
  startOnTerminal,
  storedIds,
} from "./rig.ts";

test.skipIf(!HAS_TERMINAL)(
  "rm deletes nothing after Ctrl-C at its question, and the prompt of the shell is on a new line",
  async () => {
    const service = await serve(numberedCourses(2));
    const ids = await storedIds(service);
    const folder = await newFolder();
    const running = await startOnTerminal(["courses", "rm", ...ids], 80, { ...service, folder });
    await running.waitForStdout(/\?.*Delete 2 courses[\s\S]*\(y\/N\)/);
    running.child.stdin?.write("y\u0003");
    const ended = await running.ended;
    expect(ended.code).toBe(130);
    expect(ended.stdout).toMatch(/\(y\/N\)[^\n]*\n$/);
    expect(ended.stdout).not.toMatch(STACK);
    expect(await storedIds(service)).toEqual(ids);
    expect(await readRecords(folder)).toEqual([]);
  },
);
