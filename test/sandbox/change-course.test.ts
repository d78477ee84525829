import { describe, expect, test } from "vitest";
import type { Sandbox } from "../../src/sandbox/server.ts";
import { change, courseOf, created, ID, list, OTHER_ID, open, send } from "./rig.ts";

async function openWithCourse(changes: Record<string, unknown> = {}): Promise<Sandbox> {
  const sandbox = await open();
  await created(sandbox, { id: ID, ...changes });
  return sandbox;
}

describe("PATCH courses: success", () => {
  test("answers 204, no body, and changes only the given attributes", async () => {
    const sandbox = await openWithCourse();
    const before = await courseOf(sandbox, ID);
    const reply = await change(sandbox, ID, { name: "Weaving", level: ["advanced"] });
    expect(reply).toMatchObject({ status: 204, text: "", type: null });
    expect(reply.headers.has("content-length")).toBe(false);
    expect(await courseOf(sandbox, ID)).toEqual({
      ...before,
      name: "Weaving",
      level: ["advanced"],
    });
  });

  test("published: true becomes false, and true again", async () => {
    const sandbox = await openWithCourse();
    await change(sandbox, ID, { published: false });
    expect(await courseOf(sandbox, ID)).toMatchObject({ published: false });
    expect(await list(sandbox, "?published=true")).toEqual([]);
    await change(sandbox, ID, { published: true });
    expect(await list(sandbox, "?published=true")).toHaveLength(1);
  });

  test("null clears: back to null or to the default", async () => {
    const sandbox = await openWithCourse({
      published: false,
      level: ["beginner"],
      certificate: { type: "free" },
      number_of_lessons: 4,
      assessments: true,
      duration_in_hours: 3,
    });
    const reply = await change(sandbox, ID, {
      published: null,
      level: null,
      certificate: null,
      number_of_lessons: null,
      assessments: null,
      duration_in_hours: null,
    });
    expect(reply.status).toBe(204);
    expect(await courseOf(sandbox, ID)).toMatchObject({
      published: true,
      level: [],
      certificate: null,
      number_of_lessons: 1,
      assessments: false,
      duration_in_hours: null,
    });
  });

  test("an attribute is replaced as a whole", async () => {
    const sandbox = await openWithCourse({
      certificate: { type: "paid", price: "1", currency: "EUR" },
    });
    await change(sandbox, ID, { certificate: { type: "free" } });
    expect(await courseOf(sandbox, ID)).toMatchObject({ certificate: { type: "free" } });
    expect((await courseOf(sandbox, ID)).certificate).not.toHaveProperty("price");
  });

  test("an empty object changes nothing", async () => {
    const sandbox = await openWithCourse();
    const before = await courseOf(sandbox, ID);
    expect((await change(sandbox, ID, {})).status).toBe(204);
    expect(await courseOf(sandbox, ID)).toEqual(before);
  });

  test("the slug stays the service's own, also under a new name", async () => {
    const sandbox = await openWithCourse({ slug: "mine" });
    const { slug } = await courseOf(sandbox, ID);
    expect(slug).toMatch(/^knitting-for-beginners-/);
    expect((await change(sandbox, ID, { slug: "mine", name: "Weaving" })).status).toBe(204);
    expect(await courseOf(sandbox, ID)).toMatchObject({ slug, name: "Weaving" });
  });

  test("the course's own id in the body is fine, in either case, in query and body", async () => {
    const sandbox = await openWithCourse();
    expect((await change(sandbox, ID.toUpperCase(), { id: ID })).status).toBe(204);
    expect((await change(sandbox, ID, { id: ID.toUpperCase() })).status).toBe(204);
    expect(await courseOf(sandbox, ID)).toMatchObject({ id: ID });
  });

  test("two changes at the same time both hold", async () => {
    const sandbox = await openWithCourse();
    const changes = [{ name: "Weaving" }, { duration_in_hours: 3 }, { assessments: true }];
    await Promise.all(changes.map((body) => change(sandbox, ID, body)));
    expect(await courseOf(sandbox, ID)).toMatchObject(Object.assign({}, ...changes));
  });
});

describe("PATCH courses: refused", () => {
  const MISSING = '{"hint":"Missing ID","details":"You should provide an id as a query parameter"}';

  test("without id: 500 Missing ID, whatever else is wrong", async () => {
    const reply = await send(await open(), "PATCH", "/developer/v1/courses", {
      body: "{",
      headers: { "Content-Type": null },
    });
    expect(reply).toMatchObject({ status: 500, text: MISSING });
  });

  test.each(["abc", ""])("the malformed id %j: 400 with code 22P02", async (id) => {
    const reply = await send(await open(), "PATCH", `/developer/v1/courses?id=${id}`, {
      body: "{}",
      headers: { "Content-Type": null },
    });
    expect(reply.status).toBe(400);
    expect(reply.text).toBe(
      `{"hint":null,"details":null,"code":"22P02","message":"invalid input syntax for type uuid: \\"${id}\\""}`,
    );
  });

  test("the content type is looked at before the course", async () => {
    const reply = await change(await open(), ID, {}, { "Content-Type": "text/plain" });
    expect(reply.status).toBe(400);
  });

  test("id matches no course of the user: 404, no body, whatever the body says", async () => {
    for (const body of ["{}", '{"url":""}', "{"]) {
      const reply = await send(await open(), "PATCH", `/developer/v1/courses?id=${OTHER_ID}`, {
        body,
      });
      expect(reply).toMatchObject({ status: 404, text: "", type: null });
    }
  });

  test.each([
    ["a required field set to null", { url: null }, "url is blank"],
    ["a required field blanked", { short_description: "" }, "short_description is blank"],
    ["an empty audio", { audio: [] }, "audio is blank"],
    ["an unknown attribute", { color: 1 }, "color is not a key of a course"],
    ["provider", { provider: null }, "provider is not a key of a course"],
    ["a read-only field", { approval_status: "approved" }, "approval_status cannot be set"],
    [
      "unknown keys in a structured attribute",
      { syllabus: [{ title: "x", b: 1, a: 2 }] },
      "syllabus should not contain the folowing keys: b, a",
    ],
    ["another id", { id: OTHER_ID }, "id cannot be changed"],
    ["no id", { id: null }, "id is blank"],
    ["a malformed id", { id: 5 }, "id must be a string, not a number"],
    [
      "a rule across the keys of an attribute",
      { certificate: { type: "free", price: "1" } },
      "certificate.price is only allowed when type is paid",
    ],
  ])("%s: 400", async (_, changes, hint) => {
    const sandbox = await openWithCourse();
    const before = await courseOf(sandbox, ID);
    const reply = await change(sandbox, ID, changes);
    expect(reply.status).toBe(400);
    expect(reply.text).toBe(JSON.stringify({ hint, details: null }));
    expect(await courseOf(sandbox, ID)).toEqual(before);
  });

  test("a provider or a url that is not the caller's: 400 with a hint", async () => {
    const sandbox = await openWithCourse();
    const provider = await change(sandbox, ID, { provider_id: OTHER_ID });
    expect(provider.status).toBe(400);
    expect(JSON.parse(provider.text).hint).toMatch(
      /^provider_id does not match any of your providers/,
    );
    const url = await change(sandbox, ID, { url: "https://elsewhere.example/" });
    expect(url.status).toBe(400);
    expect(JSON.parse(url.text).hint).toMatch(/^url is on elsewhere\.example/);
  });

  test("of an id given twice the first counts", async () => {
    const sandbox = await openWithCourse();
    expect((await change(sandbox, `${ID}&id=${OTHER_ID}`, {})).status).toBe(204);
    expect((await change(sandbox, `${OTHER_ID}&id=${ID}`, {})).status).toBe(404);
  });
});
