/** The build rewrites called functions so that V8 compiles them at once. */
import { expect, test } from "vitest";

const SCRIPT = new URL("../../tools/scripts/eager-functions.mjs", import.meta.url);

const MODULE = `"use strict";
const first = double(2);
const { start = () => 7 } = {};
class Counter { #step() { return 1 } get value() { return [1].map((one) => one + this.#step())[0] } }
const parts = { double, method() { return this === parts }, get half() { return double(1) / 4 } };
function double(number) { return times(number, 2); function times(a, b) { return a * b } }
async function* letters({ from } = (() => ({ from: "a" }))()) { if (from) { function next() { return "b" } yield from; yield next() } }
exports.results = [first, start(), new Counter().value, parts.method(), parts.half, double.name, letters.constructor.name, typeof arguments, new Counter() instanceof Counter];
`;

test("build: functions that are compiled at once behave as before", async () => {
  const { withEagerFunctions } = await import(SCRIPT.href);
  const rewritten = withEagerFunctions(MODULE, everyOffset);
  expect(run(rewritten)).toEqual(run(MODULE));
  expect(rewritten).toContain('"use strict";var double=(function (number) {var times=(function');
  expect(rewritten).toContain("((one) => one + this.#step())");
});

test("build: functions that are not called stay as they are", async () => {
  const { withEagerFunctions } = await import(SCRIPT.href);
  expect(withEagerFunctions(MODULE, new Set())).toBe(MODULE);
});

test("build: a called function is compiled at once inside one that is not called, and the reverse", async () => {
  const { withEagerFunctions } = await import(SCRIPT.href);
  const module = "function outer() { function inner() { return 1 } return inner }";
  const [inner, outer] = [module.indexOf("} return") + 1, module.length];
  expect(withEagerFunctions(module, new Set([inner]))).toBe(
    "function outer() {var inner=(function () { return 1 }); ; return inner }",
  );
  expect(withEagerFunctions(module, new Set([outer]))).toBe(
    "var outer=(function () { function inner() { return 1 } return inner });;",
  );
});

/** The ends of all functions. */
const everyOffset: Pick<ReadonlySet<number>, "has"> = { has: () => true };

function run(code: string): unknown {
  const exports: { results?: unknown } = {};
  new Function("exports", code)(exports);
  return exports.results;
}
