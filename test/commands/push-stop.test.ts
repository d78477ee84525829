/** Signals that stop a push: the first signal lets requests in progress finish. */
import { expect, test } from "vitest";
import { rig } from "../rig.ts";
import {
  gate,
  id,
  lines,
  numberedCourse,
  ownLines,
  rigWith,
  startCommand,
  unreliableService,
} from "./helpers.ts";
import { push, storedUrls, writeCourseFiles, writeRequests } from "./push-files.ts";
import { startRecordingProxy } from "./recording-proxy.ts";

test.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const)(
  "push finishes its requests in progress after %s, prints the summary and exits with %i",
  async (signal, code) => {
    const r = await rig();
    const urls = await writeCourseFiles(r, 1, 30);
    let stop = (): void => undefined;
    const stopped = gate();
    let posts = 0;
    const { environment, writes } = await startRecordingProxy(r, async ({ method }) => {
      if (method !== "POST") return;
      // The fifth request arrives before the signal and is answered after it.
      if (++posts === 5) {
        stop();
        stopped.open();
      }
      if (posts >= 5) await stopped.opened;
    });
    const running = startCommand(r, ["courses", "push", "courses"], environment);
    stop = () => running.stop(signal);
    expect(await running.code).toBe(code);
    const created = await storedUrls(r);
    expect(created.length).toBe(writes.length);
    expect(created.length).toBeLessThan(12);
    const rest = urls.length - created.length;
    expect(ownLines(running.err.text).at(-1)).toBe(
      `Created ${created.length} courses. ${rest} were not sent.`,
    );
    expect(running.err.text).not.toContain("error:");

    const next = await push(r, ["courses"]);
    expect([next.code, writeRequests(next).length]).toEqual([0, rest]);
    expect(await storedUrls(r)).toEqual(urls);
  },
);

test("push --quiet prints its counts and how to undo it if a signal stops it", async () => {
  const r = await rig();
  await writeCourseFiles(r, 1, 5);
  let stop = (): void => undefined;
  const { environment } = await startRecordingProxy(r, ({ method }) => {
    if (method === "POST") stop();
  });
  const words = ["courses", "push", "courses", "--quiet", "--concurrency", "1"];
  const running = startCommand(r, words, environment);
  stop = () => running.stop("SIGTERM");
  expect(await running.code).toBe(143);
  expect(lines(running.err.text)).toEqual([
    "Created 1 course. 4 were not sent.",
    expect.stringMatching(/^To undo this run: catalog undo \S+$/),
  ]);
});

test("rm names the course and what may have happened to it if a signal ends a pause", async () => {
  const r = await rigWith(numberedCourse(1));
  let stop = (): void => undefined;
  const { environment } = await unreliableService(r, ({ method }) => {
    if (method !== "DELETE") return "pass";
    stop();
    return { status: 502 };
  });
  const words = ["courses", "rm", "--yes", "--json", id(1)];
  const running = startCommand(r, words, environment);
  stop = () => running.stop("SIGINT");
  expect(await running.code).toBe(130);
  const [error] = lines(running.err.text).flatMap((line) => JSON.parse(line).error ?? []);
  expect(error).toMatchObject({
    kind: "unreachable",
    message: `could not delete course ${id(1)} at ${environment.CATALOG_BASE_URL}: interrupted`,
    next: "The course may have been deleted. Running the command again is safe.",
  });
});
