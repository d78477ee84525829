/** The error table of api.md, row by row: the sandbox's bytes, and what the command makes of them. */
import { describe, expect, test } from "vitest";
import { course, rig } from "../rig.ts";
import { COURSES, KEYED, post, ROWS } from "./error-rows.ts";
import { ABSENT, errors, holding, numbered, spoilt } from "./helpers.ts";

describe("the sandbox answers", () => {
  test.each(ROWS)("$says with $status", async ({ path, init, status, body }) => {
    const { sandbox } = await holding(numbered(1));
    const answer = await fetch(`${sandbox.baseUrl}${path}`, init);
    const text = await answer.text();
    expect(answer.status).toBe(status);
    if (body !== undefined) expect(text).toBe(body);
    else if (text !== "") expect(JSON.parse(text)).toHaveProperty("hint");
  });

  test.each([
    "name",
    "url",
    "short_description",
    "long_description",
    "audio",
    "provider_id",
    "pace",
  ])("POST without %s with 400 and the hint that it is blank", async (field) => {
    const { sandbox } = await rig();
    const { [field]: _, ...rest } = course();
    const answer = await fetch(`${sandbox.baseUrl}${COURSES}`, post(rest));
    expect([answer.status, await answer.text()]).toEqual([
      400,
      `{"hint":"${field} is blank","details":null}`,
    ]);
  });

  test("DELETE without that header with 204 although there is no course", async () => {
    const { sandbox } = await rig();
    const url = `${sandbox.baseUrl}${COURSES}?id=${ABSENT}`;
    const answer = await fetch(url, { method: "DELETE", headers: KEYED });
    expect([answer.status, await answer.text()]).toEqual([204, ""]);
  });
});

describe("the command, met with that answer, tells it as given and sends it once", () => {
  test.each(ROWS)("$says: exit $code", async ({ words, method, status, body, code, error }) => {
    const r = await holding(numbered(1));
    await r.write("a.json", JSON.stringify(numbered(2)));
    const { environment, server } = await spoilt(r, (seen) =>
      seen.method === method ? { status, body: body ?? "" } : "pass",
    );
    const ran = await r.run([...words, "--json"], { environment });
    expect(ran.code).toBe(code);
    expect(errors(ran)).toHaveLength(1);
    expect(errors(ran)[0]).toMatchObject({ ...error, status });
    expect(server.seen.filter((line) => line.startsWith(method)).length).toBe(1);

    const text = await r.run(words, { environment });
    expect([text.code, text.stdout]).toEqual([code, ""]);
    expect(text.stderr).toContain(`${status}`);
    for (const key of ["hint", "details", "code"])
      if (typeof error[key] === "string") expect(text.stderr).toContain(error[key]);
  });

  test("an invalid key, 404 and an id that exists come from the sandbox itself, too", async () => {
    const r = await holding(numbered(1));
    await r.write("a.json", JSON.stringify(numbered(1)));
    const wrong = { environment: { CATALOG_API_KEY: "no.key" } };
    expect(errors(await r.run(["courses", "ls", "--json"], wrong))).toMatchObject([
      { kind: "auth", status: 401, hint: "Invalid API Key" },
    ]);
    const missing = await r.run(["courses", "publish", ABSENT, "--json"]);
    expect(errors(missing)).toMatchObject([{ kind: "missing", status: 404 }]);
    const taken = await r.run(["courses", "create", "a.json", "--json"]);
    expect(errors(taken)).toMatchObject([{ kind: "refused", status: 409 }]);
  });
});
