import { describe, expect, test } from "vitest";
import {
  ABSENT,
  courseRequests,
  id,
  PATCH,
  PRICES,
  PROVIDERS,
  requestsOf,
  rigWithCourse,
  storedCourses,
  unreliableService,
} from "./helpers.ts";
import { writeRequests } from "./push-files.ts";

const READ = `GET /developer/v1/courses?id=${id(1)}`;

describe("paths inside fields", () => {
  test("update --set with a path reads the course first and sends the complete top-level field", async () => {
    const r = await rigWithCourse();
    const ran = await r.run([
      ..."courses update".split(" "),
      id(1),
      "--set",
      'prices[1].price="25"',
    ]);
    expect([ran.code, courseRequests(ran)]).toEqual([0, [READ, PATCH]]);
    expect(await storedCourses(r)).toMatchObject([
      { prices: [PRICES[0], { ...PRICES[1], price: "25" }] },
    ]);
  });

  test.each([
    ["prices[1].price=49.90", "49.90"],
    ['prices[1].price="25.00"', "25.00"],
  ])("update keeps a number as typed if the field is a string: --set %s", async (typed, price) => {
    const r = await rigWithCourse();
    expect((await r.run(["courses", "update", id(1), "--set", typed])).code).toBe(0);
    expect(await storedCourses(r)).toMatchObject([{ prices: [PRICES[0], { price }] }]);
  });

  test("update --unset removes a part of a field, and --set adds a key or an element", async () => {
    const r = await rigWithCourse();
    const words = ["--set", "certificate.type=free", "--unset", "prices[0]"];
    const more = ["--set", 'prices[2]={"type":"single_course","price":"3","currency":"EUR"}'];
    const ran = await r.run(["courses", "update", id(1), ...words, ...more]);
    expect([ran.code, requestsOf(ran, "PATCH")]).toEqual([0, [PATCH]]);
    expect(await storedCourses(r)).toMatchObject([
      { certificate: { type: "free" }, prices: [PRICES[1], { price: "3", currency: "EUR" }] },
    ]);
  });

  test.each([
    ["prices[5].price=1", "prices[5].price"],
    ["name.first=1", "name.first"],
    ["prices[0].currency=XXQ", "currency"],
    ["prices[0].color=red", "color"],
  ])("update exits with 2 for an impossible path or value: --set %s", async (value, names) => {
    const r = await rigWithCourse();
    const ran = await r.run(["courses", "update", id(1), "--set", value]);
    expect([ran.code, ran.stdout, requestsOf(ran, "PATCH")]).toEqual([2, "", []]);
    expect(ran.stderr).toContain(names);
  });

  test.each([
    ["--set", "prices[1].price=25", 0],
    ["--unset", "prices[1].type", 2],
  ])(
    "update refuses only new errors, not an error that the course already had: %s %s",
    async (flag, value, code) => {
      const r = await rigWithCourse();
      const [first] = await storedCourses(r);
      const prices = [{ ...PRICES[0], currency: "XXQ" }, PRICES[1]];
      const body = JSON.stringify([{ ...first, prices }]);
      const { environment } = await unreliableService(r, ({ method }) =>
        method === "GET" ? { status: 200, body } : { status: 204 },
      );
      const ran = await r.run(["courses", "update", id(1), flag, value], { environment });
      expect([ran.code, requestsOf(ran, "PATCH")]).toEqual([code, code === 0 ? [PATCH] : []]);
    },
  );

  test("update --set changes the value in the file if the file contains the field", async () => {
    const r = await rigWithCourse();
    await r.write("part.json", JSON.stringify({ id: id(1), prices: [PRICES[1]] }));
    await r.run(["courses", "update", "part.json", "--set", "prices[0].currency=EUR"]);
    expect(await storedCourses(r)).toMatchObject([{ prices: [{ ...PRICES[1], currency: "EUR" }] }]);
  });

  test("update --set with a path exits with 5 for a course that does not exist", async () => {
    const ran = await (await rigWithCourse()).run([
      "courses",
      "update",
      ABSENT,
      "--set",
      "video.id=abc",
    ]);
    expect([ran.code, requestsOf(ran, "PATCH")]).toEqual([5, []]);
  });
});

describe("requests for providers", () => {
  test.each([
    [["--url", "https://academy.example/new"]],
    [["--provider", "example-academy", "--name", "X"]],
    [["--name", "X", "--unset", "video", "--pace", "self_paced"]],
  ])("update of one id reads the course and the providers once: %j", async (words) => {
    const r = await rigWithCourse();
    const ran = await r.run(["courses", "update", id(1), "--quiet", ...words]);
    expect([ran.code, [...ran.requests].sort()]).toEqual([0, [READ, PROVIDERS, PATCH]]);
  });

  test("update refuses a url on another website and an unknown provider before any PATCH", async () => {
    const r = await rigWithCourse();
    await r.write("part.yaml", `url: https://elsewhere.example/\nid: ${id(1)}\n`);
    const file = await r.run(["courses", "update", "part.yaml"]);
    expect([file.code, writeRequests(file)]).toEqual([3, []]);
    expect(file.stderr).toContain("part.yaml:1:6");
    const flag = await r.run(["courses", "update", id(1), "--url", "https://elsewhere.example/"]);
    expect([flag.code, writeRequests(flag)]).toEqual([2, []]);
    const provider = await r.run(["courses", "update", id(1), "--provider", "unknown"]);
    expect([provider.code, writeRequests(provider)]).toEqual([2, []]);
  });
});
