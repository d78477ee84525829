import { describe, expect, test } from "vitest";
import { ID, open, send } from "./rig.ts";

const NO_KEY =
  '{"hint":"No API Key provided","details":"Missing API Key value in the X-API-Key header"}';

const ENDPOINTS = [
  ["GET", "/developer/v1/providers"],
  ["GET", "/developer/v1/courses"],
  ["POST", "/developer/v1/courses"],
  ["PATCH", `/developer/v1/courses?id=${ID}`],
  ["DELETE", `/developer/v1/courses?id=${ID}`],
] as const;

describe("API key", () => {
  test.each(ENDPOINTS)("%s %s without an API key is answered with 401", async (method, target) => {
    const reply = await send(await open(), method, target, { headers: { "X-Api-Key": null } });
    expect(reply).toMatchObject({ status: 401, text: NO_KEY });
    expect(reply.type).toBe("application/json; charset=utf-8");
  });

  test.each(["", "  "])("an API key of %j counts as missing", async (key) => {
    const reply = await send(await open(), "GET", "/developer/v1/providers", {
      headers: { "X-Api-Key": key },
    });
    expect(reply).toMatchObject({ status: 401, text: NO_KEY });
  });
});

describe("GET providers", () => {
  test("GET providers returns all providers of the user, with every field in the documented order", async () => {
    const reply = await send(await open(), "GET", "/developer/v1/providers");
    expect(reply).toMatchObject({ status: 200, type: "application/json; charset=utf-8" });
    expect(reply.text).toBe(
      '[{"id":"6f0f8a34-4f3b-4c58-9d7e-0d0c3c1f5b21","name":"Example Academy","description":"",' +
        '"slug":"example-academy","url":"https://academy.example","domain":null,"published":true}]',
    );
  });
});
