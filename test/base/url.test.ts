import { expect, test } from "vitest";
import { parseUrl } from "../../src/base/credentials.ts";
import { checkCourse } from "../../src/course/check.ts";
import { course } from "../rig.ts";

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
