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

  test("POST stores every writable field as it was sent", async () => {
    const sandbox = await open();
    const everything = course({
      id: ID,
      published: false,
      prices: [
        { type: "single_course", price: "49.99", currency: "EUR", plan_type: "regular" },
        {
          type: "subscription",
          price: "9.99",
          currency: "USD",
          plan_type: "premium",
          total_price: "119.88",
          subscription_period: { unit: "years", value: 1 },
          payment_period: { unit: "months", value: 1 },
          trial_period: { unit: "days", value: 7 },
          customer_type: "individual",
        },
      ],
      certificate: { type: "paid", price: "39.00", currency: "EUR" },
      offered_by: [{ type: "university", name: "Example University", main: true }],
      video: { type: "youtube", id: "x", thumbnail_url: "https://academy.example/t.jpg" },
      provider_rating: { type: "scale", min: 1, max: 5, value: 4.6, rating_count: 3 },
      free_content: true,
      paid_content: true,
      level: ["advanced", "beginner"],
      instructors: [{ name: "Ada Lovelace", distinguished: true, main: false }],
      what_you_will_learn: [{ title: "Charts", description: ["One.", "Two."] }],
      syllabus: [{ title: "Casting on", duration: { value: 45, unit: "minutes" } }],
      subtitles_text: ["pt-BR", "en"],
      image_url: "https://academy.example/knitting",
      number_of_lessons: 6,
      assessments: true,
      assignments: true,
      duration_in_hours: 7.5,
    });
    expect((await create(sandbox, everything)).status).toBe(201);
    expect(await courseOf(sandbox, ID)).toMatchObject(everything);
  });

  test("POST generates a random UUID if the id is missing or null", async () => {
    const sandbox = await open();
    await created(sandbox);
    await created(sandbox, { id: null });
    const ids = (await list(sandbox)).map(({ id }) => id);
    expect(new Set(ids).size).toBe(2);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f-]{36}$/);
  });

  test("POST stores UUIDs in lowercase", async () => {
    const sandbox = await open();
    const provider_id = "6F0F8A34-4F3B-4C58-9D7E-0D0C3C1F5B21";
    await created(sandbox, { id: ID.toUpperCase(), provider_id });
    expect(await courseOf(sandbox, ID)).toMatchObject({
      id: ID,
      provider_id: "6f0f8a34-4f3b-4c58-9d7e-0d0c3c1f5b21",
    });
  });

  test("POST treats null as not set", async () => {
    const sandbox = await open();
    await created(sandbox, { id: ID, published: null, level: null, video: null, slug: null });
    expect(await courseOf(sandbox, ID)).toMatchObject({ published: true, level: [], video: null });
  });

  test("POST accepts a url on a subdomain of the provider's website", async () => {
    expect((await create(await open(), { url: "https://www.academy.example/x" })).status).toBe(201);
  });
});

describe("POST courses rejected with 400", () => {
  test.each([
    ["a missing url", { url: undefined }, "url is blank"],
    ["an empty url", { url: "" }, "url is blank"],
    ["a null url", { url: null }, "url is blank"],
    ["a blank name", { name: "  " }, "name is blank"],
    ["a missing provider_id", { provider_id: undefined }, "provider_id is blank"],
    ["an empty audio", { audio: [] }, "audio is blank"],
    [
      "two missing fields, the first in the documented order,",
      { pace: null, name: null },
      "name is blank",
    ],
    ["approval_status", { approval_status: "approved" }, "approval_status cannot be set"],
    ["last_fetched_at", { last_fetched_at: null }, "last_fetched_at cannot be set"],
    ["schema_version", { schema_version: "1.0.0" }, "schema_version cannot be set"],
    ["an unknown attribute", { color: "red" }, "unknown field color"],
    [
      "provider, a field of course files only,",
      { provider: "example-academy", provider_id: undefined },
      "unknown field provider",
    ],
    ["a malformed id", { id: "abc" }, 'id must be a UUID, not "abc"'],
    ["a slug that is not a string", { slug: 5 }, "slug must be a string: put it in quotes"],
    ["another pace", { pace: "fast" }, 'pace must be self_paced or instructor_paced, not "fast"'],
    ["an invalid value inside an attribute", { prices: [{}] }, "prices[0].type is missing"],
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
    ["prices", [{ type: "single_course", cost: "1" }], "cost"],
    ["certificate", { type: "free", name: "x" }, "name"],
    ["offered_by", [{ type: "other", name: "x", url: "y" }], "url"],
    ["video", { type: "youtube", id: "x", width: 5 }, "width"],
    ["provider_rating", { stars: 5 }, "stars"],
    ["instructors", [{ name: "x", age: 7 }], "age"],
    ["what_you_will_learn", [{ title: "x", duration: 7 }], "duration"],
  ])("POST with an unknown key in %s %j is answered with 400", async (field, value, keys) => {
    const reply = await create(await open(), { [field]: value });
    expect(reply.status).toBe(400);
    expect(reply.text).toBe(
      `{"hint":"${field} should not contain the folowing keys: ${keys}","details":null}`,
    );
  });

  test("POST with unknown keys in two attributes names the first attribute in the documented order", async () => {
    const syllabus = [{ title: "x", late: 1 }];
    const reply = await create(await open(), {
      syllabus,
      video: { type: "vimeo", id: "1", early: 1 },
    });
    expect(reply.text).toBe(
      '{"hint":"video should not contain the folowing keys: early","details":null}',
    );
  });

  test("POST reports a __proto__ key as an unknown key", async () => {
    const sandbox = await open();
    const start = JSON.stringify(course()).slice(0, -1);
    const top = await send(sandbox, "POST", COURSES, { body: `${start},"__proto__":{"a":1}}` });
    expect(top).toMatchObject({ status: 400 });
    const body = `${start},"syllabus":[{"title":"x","__proto__":1}]}`;
    const inside = await send(sandbox, "POST", COURSES, { body });
    expect(inside.text).toBe(
      '{"hint":"syllabus should not contain the folowing keys: __proto__","details":null}',
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

  test.each(["[]", "null", "5", '"x"', "[".repeat(50_000) + "]".repeat(50_000)])(
    "a body that is not an object is answered with 400 and a hint (case %#)",
    async (body) => {
      const reply = await send(await open(), "POST", COURSES, { body });
      expect(reply.status).toBe(400);
      expect(reply.text).toBe('{"hint":"The body should be a JSON object","details":null}');
    },
  );
});
