/** `courses pull` if the listing or the folder changes, if a page fails, and after stop signals. */
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { numberedCourse, rigWith, unreliableService } from "./helpers.ts";
import { exists } from "./pull-rig.ts";

describe("changing listings", () => {
  test("pull writes nothing if a page of the listing fails", async () => {
    const r = await rigWith(...Array.from({ length: 150 }, (_, index) => numberedCourse(index)));
    const { environment } = await unreliableService(r, ({ url }) =>
      url.includes("offset=100") ? { status: 400, body: '{"hint": "no"}' } : "pass",
    );
    const ran = await r.run(["courses", "pull", "out"], { environment });
    expect(ran).toMatchObject({ code: 1, stdout: "" });
    expect(await exists(join(r.folder, "out"))).toBe(false);
  });
});
