/** Each documented error (docs/service.md, "Errors"): what the sandbox sends, and how commands report it. */
import { describe, expect, test } from "vitest";
import { course, rig } from "../rig.ts";
import { COURSES, KEYED, post, ROWS } from "./error-rows.ts";
import { ABSENT, jsonErrors, numberedCourse, rigWith, unreliableService } from "./helpers.ts";

describe("errors of the sandbox", () => {
  test.each(ROWS)("the sandbox sends $status for $title", async ({ path, init, status, body }) => {
    const { sandbox } = await rigWith(numberedCourse(1));
    const answer = await fetch(`${sandbox.baseUrl}${path}`, init);
    const text = await answer.text();
    expect(answer.status).toBe(status);
    if (body !== undefined) expect(text).toBe(body);
    else if (text !== "") expect(JSON.parse(text)).toHaveProperty("hint");
  });

  test("the sandbox responds to a POST without a required field with 400 and a hint that it is blank", async () => {
    const { sandbox } = await rig();
    for (const field of Object.keys(course())) {
      const { [field]: _, ...rest } = course();
      const answer = await fetch(`${sandbox.baseUrl}${COURSES}`, post(rest));
      const hint = `{"hint":"${field} is blank","details":null}`;
      expect([answer.status, await answer.text()]).toEqual([400, hint]);
    }
  });

  test("the sandbox responds to DELETE of an unknown course without the single-object header with 204", async () => {
    const { sandbox } = await rig();
    const url = `${sandbox.baseUrl}${COURSES}?id=${ABSENT}`;
    const answer = await fetch(url, { method: "DELETE", headers: KEYED });
    expect([answer.status, await answer.text()]).toEqual([204, ""]);
  });
});

describe("errors of commands", () => {
  test.each(ROWS)(
    "a command reports $title as received without a retry and exits with $code",
    async ({ words, method, status, body, code, error }) => {
      const r = await rigWith(numberedCourse(1));
      await r.write("a.json", JSON.stringify(numberedCourse(2)));
      const { environment, server } = await unreliableService(r, (seen) =>
        seen.method === method ? { status, body: body ?? "" } : "pass",
      );
      const ran = await r.run([...words, "--json"], { environment });
      expect(ran.code).toBe(code);
      expect(jsonErrors(ran)).toHaveLength(1);
      expect(jsonErrors(ran)[0]).toMatchObject({ ...error, status });
      expect(server.requests.filter((line) => line.startsWith(method)).length).toBe(1);

      // The code is for programs: text has it only with --verbose.
      const text = await r.run([...words, "--verbose"], { environment });
      expect([text.code, text.stdout]).toEqual([code, ""]);
      expect(text.stderr).toContain(`${status}`);
      for (const key of ["hint", "details", "code"])
        if (typeof error[key] === "string") expect(text.stderr).toContain(error[key]);
    },
  );

  test("the sandbox rejects an invalid key, an unknown id and an existing id", async () => {
    const r = await rigWith(numberedCourse(1));
    await r.write("a.json", JSON.stringify(numberedCourse(1)));
    const wrong = { environment: { CATALOG_API_KEY: "no.key" } };
    expect(jsonErrors(await r.run(["courses", "ls", "--json"], wrong))).toMatchObject([
      { kind: "auth", status: 401, hint: "Invalid API Key" },
    ]);
    const missing = await r.run(["courses", "publish", ABSENT, "--json"]);
    expect(jsonErrors(missing)).toMatchObject([{ kind: "missing" }]);
    const post = ["api", "POST", "developer/v1/courses", "-d", "@a.json", "--json"];
    const taken = await r.run(post);
    expect(jsonErrors(taken)).toMatchObject([{ kind: "refused", status: 409 }]);
  });
});
