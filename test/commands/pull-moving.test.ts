/** `courses pull` if the listing or the folder changes, if a page fails, and after stop signals. */
import { renameSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { numberedCourse, rigWith, startCommand, unreliableService } from "./helpers.ts";
import { exists, readFolder } from "./pull-rig.ts";

test("pull writes nothing if a page of the listing fails", async () => {
  const r = await rigWith(...Array.from({ length: 150 }, (_, index) => numberedCourse(index)));
  const { environment } = await unreliableService(r, ({ url }) =>
    url.includes("offset=99") ? { status: 400, body: '{"hint": "no"}' } : "pass",
  );
  const ran = await r.run("courses pull out", { environment });
  expect(ran).toMatchObject({ code: 1, stdout: "" });
  expect(await exists(join(r.folder, "out"))).toBe(false);
});

test.each([
  ["pull", ["pull", "out", "--json"]],
  ["import", ["import", "a.json", "--out", "out", "--json"]],
])(
  "%s does not write over a file that another run writes while it reads the folder",
  async (_, words) => {
    const r = await rigWith(numberedCourse(1));
    await r.write("a.json", JSON.stringify([numberedCourse(1)]));
    await r.run(["courses", ...words]);
    const [name = ""] = Object.keys(await readFolder(r));
    renameSync(join(r.folder, "out"), join(r.folder, "later"));
    await r.write("out/broken.yaml", "{");
    const running = startCommand(r, ["courses", ...words]);
    // The folder has been listed when its first file is warned of.
    vi.spyOn(running.err, "write").mockImplementationOnce(async () => {
      renameSync(join(r.folder, "later", name), join(r.folder, "out", name));
    });
    expect(await running.code).toBe(1);
    expect(running.err.text).toContain(
      `"kind":"output","message":"cannot write out/${name}: it was`,
    );
    expect(Object.keys(await readFolder(r))).toEqual(["broken.yaml", name]);
  },
);
