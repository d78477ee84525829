/** `check --watch`: the test writes files while the command runs. */
import { expect, test, vi } from "vitest";
import { course, rig } from "../rig.ts";
import { expectRefused, startCommand } from "./helpers.ts";

test("check --watch shows the problems again after each change until it is stopped", async () => {
  const r = await rig();
  await r.write("courses/a.json", JSON.stringify(course()));
  const running = startCommand(r, ["courses", "check", "--watch", "courses"]);
  await vi.waitFor(() => expect(running.err.text).toContain("Watching for changes"), 5000);
  const broken = JSON.stringify(course({ pace: "fast" }));
  await vi.waitFor(
    async () => {
      await r.write("courses/a.json", broken);
      expect(running.out.text).toContain("[choice]");
    },
    { timeout: 5000, interval: 200 },
  );
  await vi.waitFor(
    async () => {
      await r.write("courses/a.json", JSON.stringify(course()));
      expect(running.out.text).toMatch(/\[choice\][\s\S]*: no problems\n$/);
    },
    { timeout: 5000, interval: 200 },
  );
  running.stop("SIGINT");
  expect(await running.code).toBe(130);
});

test("check --watch follows changes of the default values in parent folders", async () => {
  const r = await rig();
  const { pace: _, ...rest } = course();
  await r.write("catalog.defaults.yaml", "pace: self_paced\n");
  await r.write("courses/a.json", JSON.stringify(rest));
  const running = startCommand(r, ["courses", "check", "--watch", "courses"]);
  await vi.waitFor(() => expect(running.err.text).toContain("Watching for changes"), 5000);
  await vi.waitFor(
    async () => {
      await r.write("catalog.defaults.yaml", "pace: fast\n");
      expect(running.out.text).toContain("catalog.defaults.yaml:1:7: error: pace");
    },
    { timeout: 5000, interval: 200 },
  );
  running.stop("SIGINT");
  expect(await running.code).toBe(130);
});

test.each([["--watch -"], ["--watch --fix courses"], ["--watch -o csv courses"]])(
  "check exits with 2 for %s",
  async (line) => {
    expectRefused(await (await rig()).run(["courses", "check", ...line.split(" ")]), 2);
  },
);
