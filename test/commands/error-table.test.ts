/** Each documented error (docs/service.md, "Errors"): what the sandbox sends, and how commands report it. */
import { describe, expect, test } from "vitest";
import { ROWS } from "./error-rows.ts";
import { jsonErrors, numberedCourse, rigWith, unreliableService } from "./helpers.ts";

describe("errors of the sandbox", () => {
  test.each(ROWS)("the sandbox sends $status for $title", async ({ path, init, status, body }) => {
    const { sandbox } = await rigWith(numberedCourse(1));
    const answer = await fetch(`${sandbox.baseUrl}${path}`, init);
    const text = await answer.text();
    expect(answer.status).toBe(status);
    if (body !== undefined) expect(text).toBe(body);
    else if (text !== "") expect(JSON.parse(text)).toHaveProperty("hint");
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
});
