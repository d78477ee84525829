import { describe, expect, test } from "vitest";
import type { Sandbox } from "../../src/sandbox/server.ts";
import { change, courseOf, created, ID, OTHER_ID, open, send } from "./rig.ts";

async function openWithCourse(changes: Record<string, unknown> = {}): Promise<Sandbox> {
  const sandbox = await open();
  await created(sandbox, { id: ID, ...changes });
  return sandbox;
}

describe("PATCH courses", () => {
  test("PATCH is answered with 204 and no body, and changes only the given attributes", async () => {
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

  test("PATCH with null resets an attribute to null or its default", async () => {
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

  test("PATCH keeps the slug when the name changes", async () => {
    const sandbox = await openWithCourse({ slug: "mine" });
    const { slug } = await courseOf(sandbox, ID);
    expect(slug).toMatch(/^knitting-for-beginners-/);
    expect((await change(sandbox, ID, { slug: "mine", name: "Weaving" })).status).toBe(204);
    expect(await courseOf(sandbox, ID)).toMatchObject({ slug, name: "Weaving" });
  });
});

describe("rejected PATCH courses", () => {
  const MISSING = '{"hint":"Missing ID","details":"You should provide an id as a query parameter"}';

  test("PATCH without an id is answered with 500 Missing ID before any other check", async () => {
    const reply = await send(await open(), "PATCH", "/developer/v1/courses", {
      body: "{",
      headers: { "Content-Type": null },
    });
    expect(reply).toMatchObject({ status: 500, text: MISSING });
  });

  test.each(["abc", ""])("PATCH with the malformed id %j is answered with 400", async (id) => {
    const reply = await send(await open(), "PATCH", `/developer/v1/courses?id=${id}`, {
      body: "{}",
      headers: { "Content-Type": null },
    });
    expect(reply.status).toBe(400);
    expect(reply.text).toBe(
      `{"hint":null,"details":null,"code":"22P02","message":"invalid input syntax for type uuid: \\"${id}\\""}`,
    );
  });

  test("PATCH of a course that the user does not have is answered with 404 without a body, for any request body", async () => {
    for (const body of ["{}", '{"url":""}', "{"]) {
      const reply = await send(await open(), "PATCH", `/developer/v1/courses?id=${OTHER_ID}`, {
        body,
      });
      expect(reply).toMatchObject({ status: 404, text: "", type: null });
    }
  });

  test.each([
    ["a required field set to null", { url: null }, "url is blank"],
    ["an unknown attribute", { color: 1 }, "unknown field color"],
    ["a read-only field", { approval_status: "approved" }, "approval_status cannot be set"],
    [
      "unknown keys in a structured attribute",
      { syllabus: [{ title: "x", b: 1, a: 2 }] },
      "syllabus should not contain the folowing keys: b, a",
    ],
    ["another id", { id: OTHER_ID }, "id cannot be changed"],
    [
      "a broken rule across the keys of an attribute",
      { certificate: { type: "free", price: "1" } },
      "certificate.price is only allowed when type is paid",
    ],
  ])("PATCH with %s is answered with 400", async (_, changes, hint) => {
    const sandbox = await openWithCourse();
    const before = await courseOf(sandbox, ID);
    const reply = await change(sandbox, ID, changes);
    expect(reply.status).toBe(400);
    expect(reply.text).toBe(JSON.stringify({ hint, details: null }));
    expect(await courseOf(sandbox, ID)).toEqual(before);
  });

  test("PATCH with another user's provider or url is answered with 400 and a hint", async () => {
    const sandbox = await openWithCourse();
    const provider = await change(sandbox, ID, { provider_id: OTHER_ID });
    expect(provider.status).toBe(400);
    expect(JSON.parse(provider.text).hint).toMatch(
      /^provider_id \S+ is not the id of one of your providers/,
    );
    const url = await change(sandbox, ID, { url: "https://elsewhere.example/" });
    expect(url.status).toBe(400);
    expect(JSON.parse(url.text).hint).toMatch(/^url is on elsewhere\.example/);
  });
});
