/** Pushes of the built program that are killed, interrupted and watched. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { gate } from "../commands/helpers.ts";
import { type RecordedRequest, startRecordingProxy } from "../commands/recording-proxy.ts";
import { uuid5 } from "../core/plans.ts";
import { IS_LONG } from "../long.ts";
import { PROVIDER_ID } from "../rig.ts";
import {
  HAS_TERMINAL,
  linesOf,
  newFolder,
  numberedCourses,
  type Running,
  readRecord,
  runCatalog,
  type ServedSandbox,
  STACK,
  serve,
  startCatalog,
  startOnTerminal,
  startScriptOnTerminal,
  storedCourses,
  storedIds,
} from "./rig.ts";

/** Writes the courses into files of ten, in a new folder. */
async function filesOf(courses: readonly Record<string, unknown>[]): Promise<string> {
  const folder = await newFolder();
  await mkdir(join(folder, "courses"));
  for (let first = 0; first < courses.length; first += 10) {
    const text = JSON.stringify(courses.slice(first, first + 10));
    await writeFile(join(folder, `courses/${first}.json`), text);
  }
  return folder;
}

/** The id that a new course gets. */
const idOf = ({ url }: Record<string, unknown>): string => uuid5(String(url), PROVIDER_ID);

/** The courses in the service by their ids, without what only the service sets. */
async function stored(served: ServedSandbox): Promise<Record<string, unknown>> {
  const courses = storedCourses(served);
  return Object.fromEntries(
    courses.map(({ id, ...course }) => [id, { ...course, slug: "", last_fetched_at: "" }]),
  );
}

/** A server in front of the sandbox that calls `watch` before it passes a request on. */
async function watched(
  served: ServedSandbox,
  watch: (passing: RecordedRequest) => Promise<void> | void,
) {
  const server = await startRecordingProxy(served, watch);
  return { ...server, environment: { ...served.environment, ...server.environment } };
}

test.runIf(IS_LONG)(
  "a push that is killed at any request is undone completely",
  async () => {
    const courses = numberedCourses(30).map((course) => ({ ...course, id: idOf(course) }));
    const existing = courses.slice(0, 20);
    const served = await serve(existing);
    const changed = courses.slice(4).map((course) => ({ ...course, name: "New" }));
    const before = await stored(served);
    for (const moment of [17, 3, 29]) {
      const folder = await filesOf(changed);
      let writes = 0;
      let running: Running | undefined;
      const { environment } = await watched(served, ({ method }) => {
        if (method !== "GET" && ++writes === moment) running?.child.kill("SIGKILL");
      });
      const push = ["courses", "push", "courses", "--prune", "--yes", "--max-deletes", "100%"];
      running = await startCatalog(push, { folder, environment });
      expect(await running.ended).toMatchObject({ signal: "SIGKILL" });
      const undone = await runCatalog(["undo", "--yes"], { folder, environment });
      expect(undone).toMatchObject({ code: 0 });
      expect(await stored(served)).toEqual(before);
    }
  },
  60_000,
);

describe("interrupted pushes", () => {
  /** A push of forty courses, stopped while four creations wait for their responses. */
  async function interrupted(start: typeof startCatalog = startCatalog) {
    const courses = numberedCourses(40);
    const served = await serve();
    const folder = await filesOf(courses);
    const [all, answers] = [gate(), gate()];
    let posts = 0;
    const server = await watched(served, async ({ method }) => {
      if (method !== "POST") return;
      posts++;
      if (posts === 10) all.open();
      if (posts > 6) await answers.opened;
    });
    const words = ["courses", "push", "courses", "--concurrency", "4"];
    const running = await start(words, { folder, environment: server.environment });
    await all.opened;
    return { courses, served, folder, server, running, answers };
  }

  test.runIf(IS_LONG)(
    "push finishes requests in progress after several SIGHUPs and exits with 129",
    async () => {
      const { running, answers, server } = await interrupted();
      running.child.kill("SIGHUP");
      await running.waitForStderr(/requests in progress/);
      running.child.kill("SIGHUP");
      answers.open();
      const ended = await running.ended;
      expect(ended).toMatchObject({ code: 129, signal: null, stdout: "" });
      expect(ended.stderr).toMatch(/^Created 10 courses\. 30 were not sent\.$/m);
      expect(server.writes).toHaveLength(10);
    },
  );

  test.skipIf(!HAS_TERMINAL)(
    "push finishes requests in progress and its undo record after its terminal was closed",
    async () => {
      // A shell passes the signal of its terminal on.
      const hangUp = "kill -HUP $!; touch told; wait $!; echo $? > code; exit";
      const { running, answers, served, folder } = await interrupted((words, options) =>
        startScriptOnTerminal(
          `trap '${hangUp}' HUP; catalog ${words.join(" ")} & wait`,
          80,
          options,
        ),
      );
      const read = (name: string) => readFile(join(folder, name), "utf8");
      running.child.kill("SIGKILL");
      await vi.waitFor(() => read("told"), 5000);
      answers.open();
      await vi.waitFor(async () => expect(await read("code")).toBe("129\n"), 10_000);
      const created = storedIds(served).length;
      expect(created).toBeLessThan(40);
      const record = await readRecord(folder);
      const done = record.filter((line) => line.status === "done");
      expect([done?.length, record.at(-1)]).toMatchObject([created, { status: "done" }]);
    },
  );

  test.runIf(IS_LONG)(
    "push ends immediately after a second signal, but two signals within half a second are one",
    async () => {
      const { running } = await interrupted();
      const start = performance.now();
      running.child.kill("SIGINT");
      await running.waitForStderr(/requests in progress/);
      const again = setInterval(() => running.child.kill("SIGINT"), 20);
      const { code, signal, stdout, stderr } = await running.ended;
      clearInterval(again);
      expect(performance.now() - start).toBeGreaterThan(500);
      expect([code, signal, stdout]).toEqual([130, null, ""]);
      expect(stderr).not.toMatch(STACK);
    },
  );

  test.skipIf(!HAS_TERMINAL)(
    "Ctrl-C lets a push finish its requests in progress and removes the progress line",
    async () => {
      const { running, answers, served } = await interrupted((words, options) =>
        startOnTerminal(words, 80, options),
      );
      await running.waitForStdout(/Pushing: \d+ of 40/);
      running.child.stdin?.write("\u0003");
      await running.waitForStdout(/requests in progress/);
      answers.open();
      const { code, stdout } = await running.ended;
      expect(code).toBe(130);
      expect(linesOf(stdout).at(-2)).toMatch(/Created 10 courses\. 30 were not sent\.$/);
      expect(storedIds(served)).toHaveLength(10);
    },
  );
});
