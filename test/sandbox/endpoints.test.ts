/** The responses of each endpoint to literal requests, as docs/service.md describes them. */
import { describe, expect, test } from "vitest";
import { parseSeeds } from "../../src/sandbox/seed.ts";
import type { Sandbox } from "../../src/sandbox/server.ts";
import { course, PROVIDER_ID } from "../rig.ts";
import {
  change,
  courseOf,
  create,
  created,
  ID,
  list,
  names,
  numbered,
  OTHER_ID,
  open,
  type SendOptions,
  send,
  testClock,
} from "./rig.ts";

const COURSES = "/developer/v1/courses";
const PROVIDERS = "/developer/v1/providers";
const OBJECT = "application/vnd.pgrst.object+json";
const SECOND = "dc0df7ee-ebfb-4651-9f5d-2b5f4d665a4a";

async function openWithCourse(changes: Record<string, unknown> = {}): Promise<Sandbox> {
  const sandbox = await open();
  await created(sandbox, { id: ID, ...changes });
  return sandbox;
}

/** A request, and the status and the body of its response. */
type Refused = [request: string, status: number, text: string, options?: SendOptions];

const json = (value: unknown) => JSON.stringify(value);
const hinted = (hint: string, details: string | null = null) => json({ hint, details });
const malformed = (type: string, value: string) =>
  `{"hint":null,"details":null,"code":"22P02","message":"invalid input syntax for type ${type}: \\"${value}\\""}`;
const withKey = (key: string | null) => ({ headers: { "X-Api-Key": key } });
const ofType = (type: string | null) => ({
  body: JSON.stringify(course()),
  headers: { "Content-Type": type },
});

const NO_KEY = hinted("No API Key provided", "Missing API Key value in the X-API-Key header");
const NOT_FOUND = hinted("Not Found");
const NO_JSON = hinted("The body should be valid JSON, encoded in UTF-8");
const FOREIGN_PROVIDER = /^\{"hint":"provider_id \S+ is not the id of one of your providers/;

const REFUSED: Refused[] = [
  ...["GET", "POST", "PATCH", "DELETE"].map((method): Refused => {
    return [`${method} ${COURSES}?id=${ID}`, 401, NO_KEY, withKey(null)];
  }),
  ...[null, "", "  "].map((key): Refused => [`GET ${PROVIDERS}`, 401, NO_KEY, withKey(key)]),
  ...["/", "//", `${COURSES}/`, `${COURSES}/${ID}`, "/__proto__"].map((path): Refused => {
    return [`GET ${path}`, 404, NOT_FOUND, withKey(null)];
  }),
  ...[`PUT ${COURSES}`, `OPTIONS ${COURSES}`, `POST ${PROVIDERS}`, `DELETE ${PROVIDERS}`].map(
    (request): Refused => [request, 404, NOT_FOUND],
  ),
  [`GET ${COURSES}?limit=101`, 500, hinted("Limit Too High", "Limit should equal at most 100")],
  [`GET ${COURSES}?limit=0`, 500, hinted("Limit Too Low", "Limit should equal at least 1")],
  ...["offset=-1", "offset=-1&id=abc"].map((query): Refused => {
    const text = hinted("Offset Too Low", "Offset should equal at least 0");
    return [`GET ${COURSES}?${query}`, 500, text];
  }),
  [`GET ${COURSES}?published=yes`, 400, malformed("boolean", "yes")],
  ...["GET", "PATCH", "DELETE"].flatMap((method) =>
    ["abc", "", "eq.1", "*", `${ID},${OTHER_ID}`].map((id): Refused => {
      return [`${method} ${COURSES}?id=${id}`, 400, malformed("uuid", id)];
    }),
  ),
  ...[`POST ${COURSES}`, `PATCH ${COURSES}?id=${ID}`].flatMap((request) => [
    ...[null, "text/plain", "application/x-www-form-urlencoded", "application/jsonx", ""].map(
      (type): Refused => {
        return [request, 400, hinted("Content-Type should be application/json"), ofType(type)];
      },
    ),
    ...["", '{"name":', "{} // no", Uint8Array.of(0x22, 0xff, 0x22)].map((body): Refused => {
      return [request, 400, NO_JSON, { body }];
    }),
  ]),
  [
    `PATCH ${COURSES}`,
    500,
    hinted("Missing ID", "You should provide an id as a query parameter"),
    { body: "{", headers: { "Content-Type": null } },
  ],
  [
    `PATCH ${COURSES}?id=${ID}`,
    400,
    hinted("id cannot be changed"),
    { body: json({ id: SECOND }) },
  ],
  [
    `POST ${COURSES}`,
    409,
    hinted("ID Already Exists", `A course with the id ${ID} exists already`),
    { body: json(course({ id: ID.toUpperCase(), name: "Other" })) },
  ],
  ...["{}", '{"url":""}', "{"].map((body): Refused => {
    return [`PATCH ${COURSES}?id=${OTHER_ID}`, 404, "", { body }];
  }),
  ...["", "?provider_id=x"].flatMap((query) =>
    ["*/*", OBJECT].map((Accept): Refused => {
      const text = "You should provide an id as a query parameter; nothing was deleted";
      const reply = [`DELETE ${COURSES}${query}`, 400, hinted("Missing ID", text)] as const;
      return [...reply, { headers: { Accept } }];
    }),
  ),
];

test.each(REFUSED)("%s is answered with %i and changes nothing", async (...row) => {
  const [request, status, text, options] = row;
  const sandbox = await openWithCourse();
  const before = await list(sandbox);
  const [method = "", target = ""] = request.split(" ");
  const reply = await send(sandbox, method, target, options);
  const type = text === "" ? null : "application/json; charset=utf-8";
  expect(reply).toMatchObject({ status, text, type });
  expect(await list(sandbox)).toEqual(before);
});

test.each<[what: string, changes: Record<string, unknown>, text: string | RegExp]>([
  ["a url that is null", { url: null }, hinted("url is blank")],
  ["an unknown attribute", { color: 1 }, hinted("unknown field color")],
  ["a field of course files", { provider: "academy" }, hinted("unknown field provider")],
  ["a read-only field", { approval_status: "approved" }, hinted("approval_status cannot be set")],
  [
    "unknown keys in a list",
    { syllabus: [{ title: "x" }, { title: "y", b: 1, a: 2 }] },
    hinted("syllabus should not contain the folowing keys: b, a"),
  ],
  [
    "an unknown key inside an item",
    { syllabus: [{ title: "x", duration: { value: 1, unit: "hours", of: 2 } }] },
    hinted("syllabus should not contain the folowing keys: of"),
  ],
  [
    "a broken rule across the keys of an attribute",
    { certificate: { type: "free", price: "1" } },
    hinted("certificate.price is only allowed when type is paid"),
  ],
  ["a missing key", { instructors: [{}] }, hinted("instructors[0].name is missing")],
  ["a foreign provider", { provider_id: OTHER_ID }, FOREIGN_PROVIDER],
  [
    "a url on a foreign website",
    { url: "https://notacademy.example/x" },
    /^\{"hint":"url is on notacademy\.example/,
  ],
])("POST and PATCH with %s are answered with 400 and a hint", async (_, changes, text) => {
  const sandbox = await openWithCourse();
  const before = await list(sandbox);
  const replies = [await create(sandbox, changes), await change(sandbox, ID, changes)];
  expect(replies.map((reply) => [reply.status, reply.text])).toEqual(
    Array(2).fill([400, typeof text === "string" ? text : expect.stringMatching(text)]),
  );
  expect(await list(sandbox)).toEqual(before);
});

test("POST is answered with 201 and no body, and sets missing fields to null, an empty list of levels, or the default", async () => {
  const sandbox = await open();
  const reply = await create(sandbox, { id: ID });
  expect(reply).toMatchObject({ status: 201, text: "", type: null });
  const { text } = await send(sandbox, "GET", `${COURSES}?id=${ID}`);
  const { slug } = JSON.parse(text)[0];
  expect(text).toBe(
    '[{"id":"0b6ec7b5-6c8b-4a5e-9f1d-2f4c9b1e7a10","name":"Knitting for Beginners",' +
      `"url":"https://academy.example/knitting","slug":"${slug}",` +
      '"short_description":"Knit your first scarf.",' +
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

test.each(["application/json; charset=utf-8", "Application/JSON", "application/json ;a=b"])(
  "POST with the Content-Type %j is accepted",
  async (type) => {
    expect((await create(await open(), {}, { "Content-Type": type })).status).toBe(201);
  },
);

test("PATCH is answered with 204 and no body, and changes only the given attributes", async () => {
  const sandbox = await openWithCourse();
  const before = await courseOf(sandbox, ID);
  const reply = await change(sandbox, ID, { name: "Weaving", level: ["advanced"] });
  expect(reply).toMatchObject({ status: 204, text: "", type: null });
  expect(reply.headers.has("content-length")).toBe(false);
  const changed = { ...before, name: "Weaving", level: ["advanced"] };
  expect(await courseOf(sandbox, ID)).toEqual(changed);
});

test("PATCH keeps the slug when the name changes", async () => {
  const sandbox = await openWithCourse({ slug: "mine" });
  const { slug } = await courseOf(sandbox, ID);
  expect(slug).toMatch(/^knitting-for-beginners-/);
  expect((await change(sandbox, ID, { slug: "mine", name: "Weaving" })).status).toBe(204);
  expect(await courseOf(sandbox, ID)).toMatchObject({ slug, name: "Weaving" });
});

test("DELETE is answered with 204 and no body, and deletes the course", async () => {
  for (const [id, Accept] of [
    [ID, "*/*"],
    [ID.toUpperCase(), OBJECT],
  ] as const) {
    const sandbox = await openWithCourse();
    const reply = await send(sandbox, "DELETE", `${COURSES}?id=${id}`, { headers: { Accept } });
    expect(reply).toMatchObject({ status: 204, text: "", type: null });
    expect(await list(sandbox)).toEqual([]);
  }
});

test.each([
  [OBJECT, 406],
  [`text/html, ${OBJECT};charset=utf-8;q=0.9, */*`, 406],
  ["Application/Vnd.PGRST.Object+JSON", 406],
  ["application/json", 204],
  ["*/*", 204],
  ["application/vnd.other.object+json", 406],
  ["application/vnd.object+json", 204],
  [`${OBJECT}x`, 204],
])("DELETE of an unknown course with Accept: %s is answered with %i", async (Accept, status) => {
  const options = { headers: { Accept } };
  const reply = await send(await open(), "DELETE", `${COURSES}?id=${ID}`, options);
  const text =
    '{"hint":null,"details":"The result contains 0 rows","code":"PGRST116",' +
    '"message":"JSON object requested, multiple (or no) rows returned"}';
  expect([reply.status, reply.text]).toEqual([status, status === 406 ? text : ""]);
});

test("GET providers returns all providers of the user, with every field in the documented order", async () => {
  const reply = await send(await open(), "GET", PROVIDERS);
  expect(reply).toMatchObject({ status: 200, type: "application/json; charset=utf-8" });
  expect(reply.text).toBe(
    '[{"id":"6f0f8a34-4f3b-4c58-9d7e-0d0c3c1f5b21","name":"Example Academy","description":"",' +
      '"slug":"example-academy","url":"https://academy.example","domain":null,"published":true}]',
  );
});

describe("GET courses", () => {
  test("GET courses lists 10 courses by default and 1 to 100 with a limit, in the order of creation", async () => {
    const amounts = Array.from({ length: 101 }, (_, index) => index + 1);
    const stored = amounts.map((number) => course({ id: numbered(number), name: `${number}` }));
    const sandbox = await open({ seed: parseSeeds([stored.slice(0, 98)], testClock()) });
    for (const each of stored.slice(98).reverse()) await created(sandbox, each);
    const order = [...amounts.slice(0, 98), 101, 100, 99].map(String);
    for (const [query, first, end] of [
      ["", 0, 10],
      ["?limit=1", 0, 1],
      ["?limit=100", 0, 100],
      ["?limit=3&offset=2", 2, 5],
      ["?offset=95", 95, 101],
      ["?limit=100&offset=101", 101, 101],
      ["?offset=99999999999999999999", 101, 101],
    ] as const) {
      expect([query, ...(await names(sandbox, query))]).toEqual([
        query,
        ...order.slice(first, end),
      ]);
    }
  });

  async function openWithThree(): Promise<Sandbox> {
    const providers = [
      { id: PROVIDER_ID, name: "A", url: "https://academy.example" },
      { id: SECOND, name: "B", url: "https://other.example" },
    ];
    const sandbox = await open({ seed: parseSeeds([providers], testClock()) });
    await created(sandbox, { id: ID, name: "Knitting" });
    await created(sandbox, { id: OTHER_ID, name: "Crochet knits", published: false });
    await created(sandbox, { id: numbered(3), name: "Ünïcode 手 😀", provider_id: SECOND });
    return sandbox;
  }

  test.each([
    ["id returns the course with that id", `?id=${ID}`, [1]],
    ["provider_id restricts to one provider", `?provider_id=${PROVIDER_ID}`, [1, 2]],
    ["name matches a substring", "?name=knit", [2]],
    ["name is case-sensitive", "?name=Knit", [1]],
    ["a + in name is a space", "?name=Crochet+k", [2]],
    ["published=true returns published courses", "?published=true", [1, 3]],
    ["published=false returns unpublished courses", "?published=false", [2]],
    ["all filters are combined", `?provider_id=${PROVIDER_ID}&published=true&name=n`, [1]],
    ["an id that another filter excludes gives an empty array", `?id=${ID}&published=false`, []],
    ["limit counts what passes the filters", "?published=true&limit=1&offset=1", [3]],
    ["an unknown parameter is ignored", "?approval_status=x&select=y", [1, 2, 3]],
    ["a filter that is given twice has its first value", "?published=true&published=false", [1, 3]],
  ])("in GET courses, %s", async (_, query, numbers) => {
    const all = ["Knitting", "Crochet knits", "Ünïcode 手 😀"];
    const expected = numbers.map((number) => all[number - 1]);
    expect(await names(await openWithThree(), query)).toEqual(expected);
  });

  test("a course that moves to another provider keeps its place in the order", async () => {
    const sandbox = await openWithThree();
    await created(sandbox, { id: numbered(4), name: "Last", provider_id: SECOND });
    expect((await change(sandbox, ID, { provider_id: SECOND.toUpperCase() })).status).toBe(204);
    const moved = ["Knitting", "Ünïcode 手 😀", "Last"];
    expect(await names(sandbox, `?provider_id=${SECOND}`)).toEqual(moved);
    expect(await names(sandbox, `?provider_id=${PROVIDER_ID}`)).toEqual(["Crochet knits"]);
    expect(await names(sandbox, "?limit=1")).toEqual(["Knitting"]);
  });
});

test("no endpoint shows, changes, deletes or uses what belongs to another user", async () => {
  const [annas, berts] = [numbered(1), numbered(2)];
  const [ANNA, BERT] = [{ "X-Api-Key": "anna.1" }, { "X-Api-Key": "bert.2" }];
  const users = [
    { key: "anna.1", providers: [{ id: annas, name: "Anna", url: "https://anna.example" }] },
    { key: "bert.2", providers: [{ id: berts, name: "Bert", url: "https://bert.example" }] },
  ];
  const sandbox = await open({ seed: parseSeeds([{ users }], testClock()) });
  const own = { provider_id: annas, url: "https://anna.example/1" };
  await created(sandbox, { ...own, id: ID }, ANNA);
  const other = { id: OTHER_ID, provider_id: berts, url: "https://bert.example/1" };
  await created(sandbox, other, BERT);

  expect(await list(sandbox, "", ANNA)).toMatchObject([{ id: ID }]);
  for (const query of [`?id=${OTHER_ID}`, `?provider_id=${berts}`]) {
    expect(await list(sandbox, query, ANNA)).toEqual([]);
  }
  expect((await change(sandbox, OTHER_ID, { name: "Mine" }, ANNA)).status).toBe(404);
  const headers = { ...ANNA, Accept: OBJECT };
  const deleted = await send(sandbox, "DELETE", `${COURSES}?id=${OTHER_ID}`, { headers });
  expect(deleted.status).toBe(406);
  for (const changes of [{ provider_id: berts }, { url: "https://bert.example/" }]) {
    expect((await create(sandbox, { ...own, ...changes }, ANNA)).status).toBe(400);
  }
  expect((await create(sandbox, { ...own, id: OTHER_ID }, ANNA)).status).toBe(409);
  expect(await list(sandbox, "", ANNA)).toHaveLength(1);
  expect(await list(sandbox, "", BERT)).toMatchObject([other]);
});
