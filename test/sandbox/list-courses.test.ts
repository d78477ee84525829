import { describe, expect, test } from "vitest";
import type { Sandbox } from "../../src/sandbox/server.ts";
import {
  change,
  created,
  ID,
  list,
  names,
  numbered,
  OTHER_ID,
  open,
  PROVIDER,
  send,
} from "./rig.ts";

const SECOND = "dc0df7ee-ebfb-4651-9f5d-2b5f4d665a4a";
const BASE = { description: "", domain: null, published: true };
const TWO_PROVIDERS = {
  users: [
    {
      key: "sandbox.0123456789abcdef",
      providers: [
        { ...BASE, id: PROVIDER, name: "A", slug: "a", url: "https://academy.example" },
        { ...BASE, id: SECOND, name: "B", slug: "b", url: "https://other.example" },
      ],
      courses: [],
    },
  ],
};

async function openWith(amount: number): Promise<Sandbox> {
  const sandbox = await open();
  for (let number = 1; number <= amount; number += 1) {
    await created(sandbox, { id: numbered(number), name: `Course ${number}` });
  }
  return sandbox;
}

const first = (amount: number, offset = 0): string[] =>
  Array.from({ length: amount }, (_, index) => `Course ${offset + index + 1}`);

describe("GET courses with limit and offset", () => {
  test("GET courses lists 10 courses by default and 1 to 100 with a limit, in the order of creation", async () => {
    const sandbox = await openWith(101);
    expect(await names(sandbox)).toEqual(first(10));
    expect(await names(sandbox, "?limit=1")).toEqual(first(1));
    expect(await names(sandbox, "?limit=100")).toEqual(first(100));
    expect(await names(sandbox, "?limit=3&offset=2")).toEqual(first(3, 2));
    expect(await names(sandbox, "?offset=95")).toEqual(first(6, 95));
    expect(await names(sandbox, "?offset=0")).toEqual(first(10));
    expect(await names(sandbox, "?limit=100&offset=101")).toEqual([]);
    expect(await names(sandbox, "?offset=99999999999999999999")).toEqual([]);
  });

  test.each([
    ["limit=101", '{"hint":"Limit Too High","details":"Limit should equal at most 100"}'],
    ["limit=0", '{"hint":"Limit Too Low","details":"Limit should equal at least 1"}'],
    ["offset=-1", '{"hint":"Offset Too Low","details":"Offset should equal at least 0"}'],
    ["offset=-1&id=abc", '{"hint":"Offset Too Low","details":"Offset should equal at least 0"}'],
  ])("GET courses with %s is answered with 500", async (query, text) => {
    const reply = await send(await open(), "GET", `/developer/v1/courses?${query}`);
    expect(reply).toMatchObject({ status: 500, text, type: "application/json; charset=utf-8" });
  });
});

describe("GET courses with filters", () => {
  async function openWithThree(): Promise<Sandbox> {
    const sandbox = await open({ seed: TWO_PROVIDERS });
    await created(sandbox, { id: ID, name: "Knitting" });
    await created(sandbox, { id: OTHER_ID, name: "Crochet knits", published: false });
    await created(sandbox, { id: numbered(3), name: "Ünïcode 手 😀", provider_id: SECOND });
    return sandbox;
  }

  test.each([
    ["id returns the course with that id", `?id=${ID}`, ["Knitting"]],
    [
      "provider_id restricts to one provider",
      `?provider_id=${PROVIDER}`,
      ["Knitting", "Crochet knits"],
    ],
    ["name matches a substring", "?name=knit", ["Crochet knits"]],
    ["name is case-sensitive", "?name=Knit", ["Knitting"]],
    ["a + in name is a space", "?name=Crochet+k", ["Crochet knits"]],
    ["published=true returns published courses", "?published=true", ["Knitting", "Ünïcode 手 😀"]],
    ["published=false returns unpublished courses", "?published=false", ["Crochet knits"]],
    ["all filters are combined", `?provider_id=${PROVIDER}&published=true&name=n`, ["Knitting"]],
    ["an id that another filter excludes gives an empty array", `?id=${ID}&published=false`, []],
    ["limit counts what passes the filters", "?published=true&limit=1&offset=1", ["Ünïcode 手 😀"]],
    [
      "an unknown parameter is ignored",
      "?approval_status=x&select=y",
      ["Knitting", "Crochet knits", "Ünïcode 手 😀"],
    ],
    [
      "a filter that is given twice has its first value",
      "?published=true&published=false",
      ["Knitting", "Ünïcode 手 😀"],
    ],
  ])("in GET courses, %s", async (_, query, expected) => {
    expect(await names(await openWithThree(), query)).toEqual(expected);
  });

  test.each([
    ["id=abc", "uuid", "abc"],
    ["id=", "uuid", ""],
    ["published=yes", "boolean", "yes"],
  ])("GET courses with %s is answered with 400 and code 22P02", async (query, type, value) => {
    const reply = await send(await open(), "GET", `/developer/v1/courses?${query}`);
    expect(reply).toMatchObject({ status: 400, type: "application/json; charset=utf-8" });
    expect(reply.text).toBe(
      `{"hint":null,"details":null,"code":"22P02","message":"invalid input syntax for type ${type}: \\"${value}\\""}`,
    );
  });

  test("a course that moves to another provider keeps its place in the order", async () => {
    const sandbox = await openWithThree();
    await created(sandbox, { id: numbered(4), name: "Last", provider_id: SECOND });
    expect((await change(sandbox, ID, { provider_id: SECOND.toUpperCase() })).status).toBe(204);
    expect(await names(sandbox, `?provider_id=${SECOND}`)).toEqual([
      "Knitting",
      "Ünïcode 手 😀",
      "Last",
    ]);
    expect(await names(sandbox, `?provider_id=${PROVIDER}`)).toEqual(["Crochet knits"]);
    expect(await list(sandbox)).toHaveLength(4);
    expect(await names(sandbox, "?limit=1")).toEqual(["Knitting"]);
  });
});
