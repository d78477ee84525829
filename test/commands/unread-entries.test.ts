/** Entries of a folder that look like course files but are not read. */
import { execFileSync } from "node:child_process";
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Rig } from "../rig.ts";
import { numberedCourse, requestsOf, rigWith } from "./helpers.ts";

const KINDS = ["a broken link", "a link out of the folder", "a linked folder", "a pipe"] as const;

/** A rig with courses 1 and 2, and a file of the first one next to an entry that is not read. */
async function rigWithEntry(kind: (typeof KINDS)[number]): Promise<Rig> {
  const r = await rigWith(numberedCourse(1), numberedCourse(2));
  await r.write("courses/1.json", numberedCourse(1));
  await r.write("elsewhere/2.json", numberedCourse(2));
  const path = join(r.folder, "courses", kind === "a linked folder" ? "more" : "2.json");
  if (kind === "a broken link") await symlink("absent.json", path);
  else if (kind === "a link out of the folder") await symlink("../elsewhere/2.json", path);
  else if (kind === "a linked folder") await symlink("../elsewhere", path);
  else execFileSync("mkfifo", [path]);
  return r;
}

test.each(KINDS)(
  "push --prune deletes nothing and reports an error for %s in its folder, and check and push only warn about it",
  async (kind) => {
    const r = await rigWithEntry(kind);
    const refused = await r.run("courses push courses --prune --yes");
    expect([refused.code, refused.requests]).toEqual([3, []]);
    expect(refused.stderr).toContain("[not-read]");
    const checked = await r.run("courses check courses");
    expect([checked.code, checked.stdout]).toEqual([
      0,
      expect.stringContaining("warning: not read"),
    ]);
    const pushed = await r.run("courses push courses");
    expect([pushed.code, requestsOf(pushed, "DELETE")]).toEqual([0, []]);
    expect(pushed.stderr).toMatch(/^warning: courses.*not read/);
  },
);
