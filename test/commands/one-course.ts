/** One course in the sandbox, for changing it. */
import { id, numberedCourse, rigWith } from "./helpers.ts";

/** The course's prices. */
export const PRICES = [
  { type: "single_course", price: "10", currency: "USD" },
  { type: "single_course", price: "20", currency: "GBP" },
];

/** A rig with it as course number 1. */
export async function rigWithCourse() {
  return await rigWith(
    numberedCourse(1, { level: ["beginner"], image_url: "https://i.example/1", prices: PRICES }),
  );
}
/** The request that changes it. */
export const PATCH = `PATCH /developer/v1/courses?id=${id(1)}`;
