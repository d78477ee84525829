/** Listings of many courses. */
import { expect, test } from "vitest";
import { id, numberedCourse, rigWith, unreliableService } from "./helpers.ts";

const many = async () =>
  await rigWith(...Array.from({ length: 250 }, (_, index) => numberedCourse(index)));

test.each(["ndjson", "csv", "id", "json"])(
  "ls -o %s prints each page as it arrives, completely",
  async (format) => {
    const r = await many();
    const { environment } = await unreliableService(r, ({ url }) =>
      url.includes("offset=99") ? { status: 400 } : "pass",
    );
    const ran = await r.run(["courses", "ls", "--all", "-o", format], { environment });
    expect(ran.code).toBe(1);
    expect(ran.stdout).toContain(id(99));
    expect(ran.stdout).not.toContain(id(100));
    if (format === "json") expect(JSON.parse(ran.stdout)).toHaveLength(100);
  },
);
