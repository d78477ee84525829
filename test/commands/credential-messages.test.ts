/** Messages about keys, base URLs and profiles name the cause and the fix. */
import { expect, test } from "vitest";
import { rig } from "../rig.ts";

const WRONG = "wrong.0123456789abcdef";

test.each([`Bearer ${WRONG}`, `"${WRONG}"`, `'${WRONG}'`])(
  "ls and login refuse the key %s and advise how to fix it",
  async (key) => {
    const r = await rig();
    const variable = await r.run(["courses", "ls"], { environment: { CATALOG_API_KEY: key } });
    const typed = await r.run(["login", "--with-key"], { input: key });
    for (const ran of [variable, typed]) {
      expect([ran.code, ran.requests]).toEqual([2, []]);
      expect(ran.stderr).toContain('without quotes, spaces or "Bearer"');
    }
  },
);

test.each(["/developer/v1", "/developer/v1/", "/developer/v1/courses"])(
  "a base URL may end with %s, as the URLs in the documentation of the service do",
  async (path) => {
    const r = await rig();
    const { baseUrl } = r.sandbox;
    const ran = await r.run(["courses", "ls", "--base-url", `${baseUrl}${path}`]);
    expect([ran.code, ran.stderr]).toEqual([0, "No courses.\n"]);
  },
);
