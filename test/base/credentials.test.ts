import { describe, expect, test } from "vitest";
import { isSameBaseUrl, parseUrl } from "../../src/base/credentials.ts";
import { checkCourse } from "../../src/course/check.ts";
import { connectionOf } from "../../src/settings/connection.ts";
import { course } from "../rig.ts";
import { resolveInProject } from "../settings/project.ts";

const SAME = [
  ["https://a.example", "https://a.example"],
  ["https://a.example", "https://a.example/"],
  ["https://a.example", "https://a.example:443"],
  ["http://a.example", "http://a.example:80/"],
  ["https://a.example", "HTTPS://A.Example"],
  ["https://a.example/x", "https://a.example/x/"],
  ["https://a.example/x", "https://a.example/x//"],
  ["https://a.example/x", "https://a.example/y/../x"],
  ["https://bücher.example", "https://xn--bcher-kva.example"],
  ["http://127.0.0.1:80", "http://127.1"],
  ["http://[::1]", "http://[0:0::1]:80/"],
] as const;

const PLAIN = { allowInsecureHttp: false, isUnattended: false, confirm: async () => false };

const DIFFERENT = [
  ["https://a.example", "http://a.example"],
  ["https://a.example", "http://a.example:443"],
  ["https://a.example", "https://a.example:8443"],
  ["https://a.example", "https://b.a.example"],
  ["https://a.example", "https://a.example.b"],
  ["https://a.example", "https://a.example."],
  ["https://a.example", "https://a.example/x"],
  ["https://a.example/x", "https://a.example/X"],
  ["https://a.example/x", "https://a.example/xy"],
  ["https://a.example/x", "https://a.example/x/y"],
  ["https://a.example/x/y", "https://a.example/x//y"],
  ["https://a.example/x", "https://a.example/x%2F"],
  ["https://a.example", "https://a.example@b.example"],
  ["https://a.example", "https://b.example#https://a.example"],
  ["https://a.example", "https://b.example?https://a.example"],
  ["https://a.example", "https://b.example\\@a.example"],
  ["http://127.0.0.1", "http://localhost"],
  ["https://a.example", "a.example"],
  ["a.example", "a.example"],
  ["", ""],
] as const;

describe("isSameBaseUrl", () => {
  test.each(SAME)("isSameBaseUrl is true for %s and %s", (one, other) => {
    expect([isSameBaseUrl(one, other), isSameBaseUrl(other, one)]).toEqual([true, true]);
  });

  test.each(DIFFERENT)("isSameBaseUrl is false for %s and %s", (one, other) => {
    expect([isSameBaseUrl(one, other), isSameBaseUrl(other, one)]).toEqual([false, false]);
  });
});

describe("saved keys", () => {
  const user = JSON.stringify({
    baseUrl: "https://a.example/x",
    apiKey: "a.key",
    profiles: {
      b: { baseUrl: "https://b.example", apiKey: "b.key" },
      bare: { apiKey: "bare.key" },
      addressed: { baseUrl: "https://a.example/x/" },
    },
  });
  const at = (baseUrl: string, profile?: string) =>
    resolveInProject({ user, flags: { baseUrl, ...(profile && { profile }) } });

  test("an error names the base URL without a key and the command that saves one", async () => {
    const settings = await at("https://c.example");
    await expect(connectionOf(settings, PLAIN)).rejects.toEqual(
      expect.objectContaining({
        kind: "auth",
        message: "no API key is set for https://c.example",
        facts: {
          advice: 'Run "catalog login --base-url https://c.example", or set CATALOG_API_KEY.',
        },
      }),
    );
  });

  test("a key saved without a base URL is never used", async () => {
    const settings = await at("https://c.example", "bare");
    expect(settings.apiKey).toBeUndefined();
    const { apiKey } = await resolveInProject({ user: '{"apiKey": "a.key"}' });
    expect(apiKey).toBeUndefined();
  });
});

test("parseUrl accepts hosts with non-ASCII letters, even after thousands of calls", () => {
  const count = 12_000;
  const wrong = Array.from(
    { length: count },
    (_, index) => `https://académie.example/${index}`,
  ).filter((url) => parseUrl(url)?.protocol !== "https:");
  expect(wrong).toEqual([]);
  const found = Array.from({ length: count }, (_, index) =>
    checkCourse(course({ url: `https://académie.example/${index}` })),
  );
  expect(found.flat()).toEqual([]);
});

test("a url whose host has a part with xn-- that encodes no name is invalid in every version of Node.js", () => {
  const hosts = [
    "xn--a",
    "xn--0.example",
    "xn--1ug.example",
    "a.xn--pokxncvks",
    "XN--zn7c.example",
  ];
  const found = [...hosts, "xn--bcher-kva.example"].filter((host) => parseUrl(`https://${host}/x`));
  expect(found).toEqual(["xn--bcher-kva.example"]);
});
