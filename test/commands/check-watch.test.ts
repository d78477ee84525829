/** `check --watch`: the test writes files while the command runs. */
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { course, type Rig, rig } from "../rig.ts";
import { startCommand } from "./helpers.ts";

const GOOD = JSON.stringify(course());
const BROKEN = JSON.stringify(course({ pace: "fast" }));

/** Starts to watch a folder with one course, and runs the work, which gets what waits for another check. */
async function watching(work: (r: Rig, next: (shown: RegExp) => Promise<void>) => Promise<void>) {
  const r = await rig();
  await r.write("courses/a.json", GOOD);
  // There, check also prints annotations, which --watch does not.
  const environment = { GITHUB_ACTIONS: "true" };
  const running = startCommand(r, ["courses", "check", "--watch", "courses"], environment);
  const next = async (shown: RegExp): Promise<void> => {
    const { out, err } = running;
    await vi.waitFor(() => expect(err.text + out.text).toMatch(shown), 20_000);
    out.text = "";
    err.text = "";
  };
  await next(/Watching for changes/);
  await work(r, next);
  running.stop("SIGINT");
  expect(await running.code).toBe(130);
}

/** Saves as many editors do: another file takes the name. */
async function saveByRename(path: string, text: string): Promise<void> {
  await writeFile(`${path}~`, text);
  await rename(`${path}~`, path);
}

test("check --watch shows the problems again after each save, in place and by rename, until it is stopped, also in GitHub Actions", async () => {
  await watching(async (r, next) => {
    for (const save of [writeFile, saveByRename, saveByRename, writeFile]) {
      await save(join(r.folder, "courses/a.json"), BROKEN);
      await next(/^courses\/a\.json:\d+:\d+: error: .*\[choice\]$/m);
      await save(join(r.folder, "courses/a.json"), GOOD);
      await next(/: no problems\n$/);
    }
  });
});

test("check --watch follows a folder that is replaced, and folders in it", async () => {
  await watching(async (r, next) => {
    const folder = join(r.folder, "courses");
    await rename(folder, `${folder}.old`);
    await next(/cannot read courses/);
    await mkdir(join(folder, "more"), { recursive: true });
    await writeFile(join(folder, "more/b.json"), BROKEN);
    await next(/more\/b\.json:.*\[choice\]/);
    await rm(folder, { recursive: true });
    await mkdir(join(folder, "more"), { recursive: true });
    await writeFile(join(folder, "more/b.json"), GOOD);
    await next(/: no problems\n$/);
    await saveByRename(join(folder, "more/b.json"), BROKEN);
    await next(/more\/b\.json:.*\[choice\]/);
  });
});

test("check --watch follows changes of the default values in parent folders", async () => {
  await watching(async (r, next) => {
    const { pace: _, ...rest } = course();
    await writeFile(join(r.folder, "courses/a.json"), JSON.stringify(rest));
    await next(/\[required\]/);
    await writeFile(join(r.folder, "catalog.defaults.yaml"), "pace: fast\n");
    await next(/catalog\.defaults\.yaml:1:7: error: pace/);
  });
});
