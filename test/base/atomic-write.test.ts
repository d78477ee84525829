import { readdirSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { requireAbsent, writeFileAtomically } from "../../src/base/atomic-write.ts";

async function newFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "catalog-write-")));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

describe("writeFileAtomically", () => {
  test("writeFileAtomically writes to a hidden draft, which a search for course files does not find", async () => {
    const folder = await newFolder();
    let drafts: string[] = [];
    function* parts(): Generator<string> {
      yield "a";
      drafts = readdirSync(folder);
      yield "b";
    }
    await writeFileAtomically(join(folder, "x.yaml"), parts());
    expect(drafts).toEqual([expect.stringMatching(/^\.x\.yaml\..+\.tmp$/)]);
    expect(await readdir(folder)).toEqual(["x.yaml"]);
  });

  test("writeFileAtomically in mode new never overwrites a file, a folder or a dangling link", async () => {
    const folder = await newFolder();
    await writeFileAtomically(join(folder, "a"), "mine", { mode: "new" });
    await mkdir(join(folder, "b"));
    await symlink("nowhere", join(folder, "c"));
    for (const name of ["a", "b", "c"]) {
      const error = {
        kind: "usage",
        message: `${name} already exists`,
      };
      const path = join(folder, name);
      expect(() => requireAbsent(name, path)).toThrow(expect.objectContaining(error));
      const written = writeFileAtomically(path, "other", { name, mode: "new" });
      await expect(written).rejects.toMatchObject(error);
    }
    expect(await readFile(join(folder, "a"), "utf8")).toBe("mine");
    expect((await readdir(folder)).sort()).toEqual(["a", "b", "c"]);
  });

  test("writeFileAtomically in mode new reports a missing folder as a usage error and creates no folder", async () => {
    const folder = await newFolder();
    const written = writeFileAtomically(join(folder, "a/x"), "", {
      name: "a/x",
      mode: "new",
    });
    await expect(written).rejects.toMatchObject({
      kind: "usage",
      message: "the folder of a/x does not exist",
    });
    expect(await readdir(folder)).toEqual([]);
  });
});
