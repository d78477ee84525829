import { describe, expect, test } from "vitest";
import { course, courseOf, create, created, ID, list, OTHER_ID, open, send } from "./rig.ts";

const COURSES = "/developer/v1/courses";

describe("POST courses", () => {
  test("POST is answered with 201 and no body", async () => {
    const reply = await create(await open(), { id: ID });
    expect(reply).toMatchObject({ status: 201, text: "", type: null });
  });

  test("POST sets optional fields that are missing to null, an empty array for level, or the default", async () => {
    const sandbox = await open();
    await created(sandbox, { id: ID });
    const { text } = await send(sandbox, "GET", `${COURSES}?id=${ID}`);
    const { slug } = JSON.parse(text)[0];
    expect(text).toBe(
      '[{"id":"0b6ec7b5-6c8b-4a5e-9f1d-2f4c9b1e7a10","name":"Knitting for Beginners",' +
        `"url":"https://academy.example/knitting","slug":"${slug}",` +
        '"short_description":"Knit your first scarf in six evenings.",' +
        '"long_description":"From casting on to binding off.","audio":["en"],' +
        '"provider_id":"6f0f8a34-4f3b-4c58-9d7e-0d0c3c1f5b21","pace":"self_paced",' +
        '"published":true,"prices":null,"certificate":null,"offered_by":null,"video":null,' +
        '"provider_rating":null,"free_content":null,"paid_content":null,"level":[],' +
        '"instructors":null,"what_you_will_learn":null,"syllabus":null,"subtitles_text":null,' +
        '"image_url":null,"number_of_lessons":1,"assessments":false,"assignments":false,' +
        '"duration_in_hours":null,"approval_status":"pending",' +
        '"last_fetched_at":"2026-11-21T09:00:00+00:00","schema_version":"1.0.0"}]',
    );
    expect(slug).toMatch(/^knitting-for-beginners-[a-z0-9]{8}$/);
  });

  test("POST generates a random UUID if the id is missing or null", async () => {
    const sandbox = await open();
    await created(sandbox);
    await created(sandbox, { id: null });
    const ids = (await list(sandbox)).map(({ id }) => id);
    expect(new Set(ids).size).toBe(2);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe("POST courses rejected with 400", () => {
  test.each([
    ["a missing url", { url: undefined }, "url is blank"],
    ["a blank name", { name: "  " }, "name is blank"],
    ["an empty audio", { audio: [] }, "audio is blank"],
    [
      "two missing fields, the first in the documented order,",
      { pace: null, name: null },
      "name is blank",
    ],
    ["approval_status", { approval_status: "approved" }, "approval_status cannot be set"],
    ["an unknown attribute", { color: "red" }, "unknown field color"],
    [
      "provider, a field of course files only,",
      { provider: "example-academy", provider_id: undefined },
      "unknown field provider",
    ],
    ["a malformed id", { id: "abc" }, 'id must be a UUID, not "abc"'],
    ["another pace", { pace: "fast" }, 'pace must be self_paced or instructor_paced, not "fast"'],
    [
      "an invalid value inside an attribute",
      { instructors: [{}] },
      "instructors[0].name is missing",
    ],
  ])("POST with %s is answered with 400 and a hint", async (_, changes, hint) => {
    const sandbox = await open();
    const reply = await create(sandbox, changes);
    expect(reply).toMatchObject({ status: 400, type: "application/json; charset=utf-8" });
    expect(reply.text).toBe(JSON.stringify({ hint, details: null }));
    expect(await list(sandbox)).toEqual([]);
  });

  test.each([
    [
      "syllabus",
      [
        { title: "x", a: 1 },
        { title: "y", b: 2, a: 3 },
      ],
      "a, b",
    ],
    ["syllabus", [{ title: "x", duration: { value: 1, unit: "hours", of: 2 } }], "of"],
    ["provider_rating", { stars: 5 }, "stars"],
  ])("POST with an unknown key in %s %j is answered with 400", async (field, value, keys) => {
    const reply = await create(await open(), { [field]: value });
    expect(reply.status).toBe(400);
    expect(reply.text).toBe(
      `{"hint":"${field} should not contain the folowing keys: ${keys}","details":null}`,
    );
  });

  test("POST with a provider of another user is answered with 400 and a hint", async () => {
    const reply = await create(await open(), { provider_id: OTHER_ID });
    expect(reply.status).toBe(400);
    expect(JSON.parse(reply.text).hint).toMatch(
      /^provider_id \S+ is not the id of one of your providers/,
    );
  });

  test("POST with a url that is not on a website of the user's providers is answered with 400 and a hint", async () => {
    const reply = await create(await open(), { url: "https://notacademy.example/x" });
    expect(reply.status).toBe(400);
    expect(JSON.parse(reply.text).hint).toMatch(/^url is on notacademy\.example/);
  });
});

describe("POST courses with an existing id", () => {
  test("POST of an existing id, in either case, is answered with 409 and a hint, and changes nothing", async () => {
    const sandbox = await open();
    await created(sandbox, { id: ID });
    const reply = await create(sandbox, { id: ID.toUpperCase(), name: "Other" });
    expect(reply.status).toBe(409);
    expect(reply.text).toBe(
      '{"hint":"ID Already Exists","details":"A course with the id 0b6ec7b5-6c8b-4a5e-9f1d-2f4c9b1e7a10 exists already"}',
    );
    expect(await courseOf(sandbox, ID)).toMatchObject({ name: "Knitting for Beginners" });
  });
});

describe("content type and body of POST and PATCH", () => {
  const PATCHED = `${COURSES}?id=${ID}`;

  test.each([null, "text/plain", "application/x-www-form-urlencoded", "application/jsonx", ""])(
    "the Content-Type %j is answered with 400",
    async (type) => {
      const sandbox = await open();
      await created(sandbox, { id: ID });
      for (const [method, target] of [
        ["POST", COURSES],
        ["PATCH", PATCHED],
      ] as const) {
        const options = { body: JSON.stringify(course()), headers: { "Content-Type": type } };
        const reply = await send(sandbox, method, target, options);
        expect(reply.status).toBe(400);
        expect(reply.text).toBe(
          '{"hint":"Content-Type should be application/json","details":null}',
        );
      }
    },
  );

  test.each(["application/json; charset=utf-8", "Application/JSON", "application/json ;a=b"])(
    "the Content-Type %j is accepted",
    async (type) => {
      expect((await create(await open(), {}, { "Content-Type": type })).status).toBe(201);
    },
  );

  test.each([
    ["zero bytes", ""],
    ["half an object", '{"name":'],
    ["a comment", "{} // no"],
    ["invalid UTF-8", Uint8Array.of(0x22, 0xff, 0x22)],
  ])("a body of %s is answered with 400 and a hint", async (_, body) => {
    const sandbox = await open();
    await created(sandbox, { id: ID });
    for (const [method, target] of [
      ["POST", COURSES],
      ["PATCH", PATCHED],
    ] as const) {
      const reply = await send(sandbox, method, target, { body });
      expect(reply.status).toBe(400);
      expect(reply.text).toBe(
        '{"hint":"The body should be valid JSON, encoded in UTF-8","details":null}',
      );
    }
  });
});
