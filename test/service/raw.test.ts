/** What a raw request contains, and how its response is reported. */

import { describe, expect, test } from "vitest";
import { CatalogError } from "../../src/base/errors.ts";
import { CatalogClient } from "../../src/service/client.ts";
import {
  type HttpRequest,
  type HttpResponse,
  METHODS,
  type Method,
} from "../../src/service/errors.ts";
import type { ClientOptions } from "../../src/service/http.ts";
import { testClock } from "../rig.ts";

/** The id of a course. */
const ID = "0b6ec7b5-6c8b-4a5e-9f1d-2f4c9b1e7a10";
/** The key that every request carries. */
const KEY = "someone.secret";

/** A client with a fake transport, and the requests that it sent. */
function clientOf(
  baseUrl = "https://catalog.example",
  response: Partial<HttpResponse> = {},
  options: Partial<ClientOptions> = {},
) {
  const requests: HttpRequest[] = [];
  const client = new CatalogClient({
    baseUrl,
    apiKey: KEY,
    clock: testClock(),
    ...options,
    transport: async () => ({
      send: async (request) => {
        requests.push(request);
        return { status: 200, headers: {}, body: Buffer.alloc(0), ...response };
      },
      close: async () => undefined,
    }),
  });
  return { client, requests };
}

/** The request of a call, or the error that rejects the call before it is sent. */
async function sentFor(
  call: Parameters<CatalogClient["raw"]>[0],
  baseUrl?: string,
): Promise<HttpRequest | CatalogError> {
  const { client, requests } = clientOf(baseUrl);
  try {
    await client.raw(call);
  } catch (error) {
    if (!(error instanceof CatalogError)) throw error;
    expect(requests).toEqual([]);
    return error;
  }
  expect(requests).toHaveLength(1);
  return requests[0] as HttpRequest;
}

test("every raw method sends the API key and accepts JSON, and DELETE accepts the single object", async () => {
  for (const method of METHODS) {
    const sent = await sentFor({ method, path: `x?id=${ID}` });
    const accept = method === "DELETE" ? "application/vnd.pgrst.object+json" : "application/json";
    expect(sent).toMatchObject({ method, headers: { "x-api-key": KEY, accept } });
    expect(sent).not.toHaveProperty("headers.content-type");
  }
  const { client, requests } = clientOf(undefined, {}, { vendor: "acme" });
  await client.raw({ method: "DELETE", path: `x?id=${ID}` });
  expect(requests[0]?.headers.accept).toBe("application/vnd.acme.object+json");
});

test("a raw request sends the body unchanged, as JSON", async () => {
  const body = Buffer.from([0xff, 0x00, 0x7b]);
  const headers = { "content-type": "application/json" };
  expect(await sentFor({ method: "POST", path: "x", body })).toMatchObject({ headers, body });
});

test.each<[Method, number, string, string | undefined]>([
  ["GET", 200, "[]", undefined],
  ["POST", 201, "", undefined],
  ["PATCH", 204, "", undefined],
  ["GET", 301, "", "rejected"],
  ["GET", 401, "", "auth"],
  ["GET", 404, "", "rejected"],
  ["PATCH", 404, "", "missing"],
  ["DELETE", 406, "", "missing"],
  ["GET", 429, "", "unreachable"],
  ["GET", 500, "", "unreachable"],
  ["GET", 500, '{"hint":null,"details":"x"}', "unreachable"],
  ["GET", 500, '{"hint":"Limit Too High"}', "rejected"],
  ["POST", 503, '{"hint":"busy"}', "unreachable"],
])("a raw %s with %i %s is sent once: failure %s", async (method, status, body, kind) => {
  const { client, requests } = clientOf(
    undefined,
    { status, body: Buffer.from(body) },
    { retries: 4 },
  );
  const answer = await client.raw({ method, path: `x?id=${ID}` });
  expect([answer.status, Buffer.from(answer.body).toString()]).toEqual([status, body]);
  expect(answer.failure?.kind).toBe(kind);
  expect(requests).toHaveLength(1);
});

const COURSES = "developer/v1/courses";
const CHANGING: readonly Method[] = ["PATCH", "PUT", "DELETE"];
test.each([
  [COURSES, "https://catalog.example/developer/v1/courses"],
  [`/${COURSES}?limit=5`, "https://catalog.example/developer/v1/courses?limit=5"],
  [`${COURSES}?name=a%20b&x=@1:2//3`, `https://catalog.example/${COURSES}?name=a%20b&x=@1:2//3`],
  ["?limit=5", "https://catalog.example/?limit=5"],
  ["/", "https://catalog.example/"],
  ["a..b/...", "https://catalog.example/a..b/..."],
])("the path %s of a raw request leads to %s", async (path, url) => {
  expect(await sentFor({ method: "GET", path })).toMatchObject({ url });
});

test("the path of a raw request stays below the path of the base URL, with or without slashes at the ends", async () => {
  for (const base of ["https://c.example/a/b", "https://c.example/a/b/"]) {
    for (const path of [COURSES, `/${COURSES}`]) {
      const url = "https://c.example/a/b/developer/v1/courses";
      expect(await sentFor({ method: "GET", path }, base)).toMatchObject({ url });
    }
  }
});

test.each([
  "",
  "https://elsewhere.example/",
  "//elsewhere.example/x",
  "me@elsewhere.example/x",
  "\\\\elsewhere.example/x",
  "/\t/elsewhere.example",
  "x\r\nx-evil: 1",
  "x#y",
  "..",
  "a/../../x",
  "%2e%2e/x",
  "%252e%252e/x",
  "a/..%5c..%5cx",
  "kurse/größe",
  "/a:b",
])("the path %j of a raw request is rejected", async (path) => {
  for (const method of METHODS) {
    const error = await sentFor({ method, path }, "https://catalog.example:8443/tenant/one");
    expect(error).toMatchObject({
      kind: "usage",
      message: expect.stringContaining("the path must be relative to the base URL"),
    });
  }
});

describe.each(CHANGING)("raw request: %s", (method) => {
  test.each([
    `${COURSES}?id=${ID}`,
    `/${COURSES}?id=${ID.toUpperCase()}`,
    `${COURSES}?select=id&id=${ID}`,
    `${COURSES}?id=${ID}&video_id=7&idle=1`,
  ])(`a raw ${method} is sent to %s`, async (path) => {
    expect(await sentFor({ method, path })).toMatchObject({ method });
  });

  test.each([
    COURSES,
    "/developer/v1/providers",
    `${COURSES}/${ID}`,
    `${COURSES}?limit=1`,
    `${COURSES}?id=`,
    `${COURSES}?id=eq.${ID}`,
    `${COURSES}?id=${ID},${ID}`,
    `${COURSES}?id=${ID}%0a`,
    `${COURSES}?id=${ID}&id=${ID}`,
    `${COURSES}?id=${ID}&id`,
    `${COURSES}?ID=${ID}`,
    `${COURSES}?id=${ID}&id[]=x`,
    `${COURSES}?%69d=${ID}`,
    `${COURSES}?id=${ID}&%2569d=x`,
    `${COURSES}?id=${ID};id=x`,
    `${COURSES}?id=${ID}&x=1%26id=2`,
    `${COURSES}?x=%2523&id=${ID}`,
    `${COURSES}?not.id=${ID}`,
  ])(`a raw ${method} is never sent to %s`, async (path) => {
    expect(await sentFor({ method, path })).toMatchObject({
      kind: "usage",
      message: expect.stringContaining(`${method} needs exactly one id=<uuid>`),
    });
  });
});
