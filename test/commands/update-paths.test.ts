import { describe, expect, test } from "vitest";
import {
  courseRequests,
  id,
  PATCH,
  PRICES,
  requestsOf,
  rigWithCourse,
  storedCourses,
} from "./helpers.ts";

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
});
