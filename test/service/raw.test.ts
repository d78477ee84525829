/** What a raw request contains, and how its response is reported. */
import { describe, expect, test } from "vitest";
import { METHODS, type Method } from "../../src/service/errors.ts";
import { clientOf, ID, KEY, sentFor } from "./raw-calls.ts";

describe("raw requests", () => {
  test("every raw method sends the key and accepts JSON, and DELETE accepts the single object", async () => {
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
    expect(await sentFor({ method: "POST", path: "x", body })).toMatchObject({
      headers: { "content-type": "application/json" },
      body,
    });
  });
});

describe("raw responses", () => {
  test.each<[Method, number, string, string | undefined]>([
    ["GET", 200, "[]", undefined],
    ["POST", 201, "", undefined],
    ["PATCH", 204, "", undefined],
    ["GET", 301, "", "rejected"],
    ["GET", 304, "", "rejected"],
    ["GET", 401, "", "auth"],
    ["GET", 400, "", "rejected"],
    ["GET", 404, "", "rejected"],
    ["GET", 406, "", "rejected"],
    ["PATCH", 404, "", "missing"],
    ["DELETE", 406, "", "missing"],
    ["GET", 429, "", "unreachable"],
    ["GET", 500, "", "unreachable"],
    ["GET", 500, '{"hint":null,"details":"x"}', "unreachable"],
    ["GET", 500, '{"hint":"Limit Too High"}', "rejected"],
    ["GET", 501, "", "unreachable"],
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
});
