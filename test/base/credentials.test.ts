import { expect, test } from "vitest";
import { isSameBaseUrl, parseUrl } from "../../src/base/credentials.ts";
import { resolveInProject } from "../settings/project.ts";

const SAME = [
  ["https://a.example", "HTTPS://A.Example:443/"],
  ["https://a.example/x", "https://a.example/x//"],
  ["https://a.example/x", "https://a.example/y/../x"],
  ["https://bücher.example", "https://xn--bcher-kva.example"],
  ["http://127.0.0.1:80", "http://127.1"],
] as const;

const DIFFERENT = [
  ["https://a.example", "http://a.example:443"],
  ["https://a.example", "https://a.example:8443"],
  ["https://a.example", "https://b.a.example"],
  ["https://a.example", "https://a.example."],
  ["https://a.example", "https://a.example/x"],
  ["https://a.example/x", "https://a.example/X"],
  ["https://a.example/x", "https://a.example/x%2F"],
  ["https://a.example", "https://a.example@b.example"],
  ["https://a.example", "https://b.example#https://a.example"],
  ["https://a.example", "https://b.example\\@a.example"],
  ["http://127.0.0.1", "http://localhost"],
  ["a.example", "a.example"],
] as const;

test.each([
  ...SAME.map((urls) => [...urls, true] as const),
  ...DIFFERENT.map((urls) => [...urls, false] as const),
])("%s and %s are the same base URL: %s", (one, other, isSame) => {
  expect([isSameBaseUrl(one, other), isSameBaseUrl(other, one)]).toEqual([isSame, isSame]);
});

test("an API key saved without a base URL is never used", async () => {
  const user = JSON.stringify({ apiKey: "a.key", profiles: { bare: { apiKey: "bare.key" } } });
  for (const profile of [{}, { profile: "bare" }]) {
    const flags = { baseUrl: "https://c.example", ...profile };
    expect((await resolveInProject({ user, flags })).apiKey).toBeUndefined();
  }
});

test("parseUrl accepts hosts with non-ASCII letters, even after thousands of calls", () => {
  const urls = Array.from({ length: 12_000 }, (_, index) => `https://académie.example/${index}`);
  expect(urls.filter((url) => parseUrl(url)?.protocol !== "https:")).toEqual([]);
});

test("a url whose host has a part with xn-- that encodes no name is invalid in every version of Node.js", () => {
  const hosts = ["xn--a", "xn--1ug.example", "a.xn--pokxncvks", "XN--zn7c.example"];
  const found = [...hosts, "xn--bcher-kva.example"].filter((host) => parseUrl(`https://${host}/x`));
  expect(found).toEqual(["xn--bcher-kva.example"]);
});
