import stringWidth from "string-width";
import { describe, expect, test } from "vitest";
import { CatalogError } from "../../src/base/errors.ts";
import { plain, stylesFor } from "../../src/output/color.ts";
import { failureFacts, failureJson, failureText } from "../../src/output/failure.ts";
import { Messages } from "../../src/output/messages.ts";
import { COLORS, HOSTILE, Memory, UNSAFE } from "./rig.ts";

function messages(options: Partial<{ json: boolean; quiet: boolean; verbose: boolean }> = {}) {
  const err = new Memory({ isTerminal: true });
  const styles = async () => plain;
  const told = new Messages({ err, json: false, quiet: false, verbose: false, styles, ...options });
  return { err, told };
}

const REFUSED = new CatalogError(
  "refused",
  "could not create the course: the service rejected the request",
  {
    status: 400,
    code: "23514",
    hint: "audio must not be empty",
    details: "Failing row.",
    file: "courses/a.yaml",
    line: 3,
    column: 8,
    advice: "Correct the file and push again",
  },
);

describe("failureText", () => {
  test("contains what failed, where, why, and what to do", () => {
    expect(failureText(REFUSED, plain)).toBe(
      [
        "error: courses/a.yaml:3:8: could not create the course: the service rejected the request",
        "  hint: audio must not be empty",
        "  details: Failing row.",
        "  code: 23514",
        "  Correct the file and push again.",
      ].join("\n"),
    );
  });

  test("contains a position once", () => {
    const place = { file: "a.yaml", line: 2, column: 1 };
    expect(failureText(new CatalogError("file", "odd", place), plain)).toBe(
      "error: a.yaml:2:1: odd",
    );
    expect(
      failureText(new CatalogError("file", "could not read a.yaml", { file: "a.yaml" }), plain),
    ).toBe("error: could not read a.yaml");
    expect(failureText(new CatalogError("file", "bad", { ...place, rule: "service" }), plain)).toBe(
      "a.yaml:2:1: error: bad [service]",
    );
  });

  test("is red only with color", async () => {
    expect(failureText(REFUSED, plain)).not.toMatch(UNSAFE);
    expect(failureText(REFUSED, await stylesFor(1))).toContain("\u001b[31merror:\u001b[39m");
  });

  test("escapes control characters", () => {
    const error = new CatalogError("refused", HOSTILE, {
      hint: HOSTILE,
      details: HOSTILE,
      code: HOSTILE,
      file: HOSTILE,
      advice: HOSTILE,
      rule: HOSTILE,
    });
    expect(failureText(error, plain)).not.toMatch(UNSAFE);
    expect(failureJson(error)).not.toMatch(/\n/);
    expect(failureJson(error)).not.toMatch(UNSAFE);
    expect(JSON.parse(failureJson(error)).error.hint).toBe(HOSTILE);
  });
});

test("failureJson: it has the known facts in the documented order", () => {
  expect(JSON.parse(failureJson(REFUSED))).toEqual({ error: failureFacts(REFUSED) });
  expect(Object.keys(failureFacts(REFUSED))).toEqual(
    "kind message hint details status code file line column next".split(" "),
  );
  expect(failureFacts(new CatalogError("usage", "no"))).toEqual({ kind: "usage", message: "no" });
});

describe("Messages", () => {
  test("are text by default", async () => {
    const { err, told } = messages();
    await told.info("two\nlines\n");
    await told.important("kept");
    await told.warn("odd");
    await told.trace("hidden");
    await told.fail(new CatalogError("missing", "no course"));
    expect(err.text).toBe("two\nlines\nkept\nwarning: odd\nerror: no course\n");
  });

  test("with --quiet are only errors and important messages", async () => {
    const { err, told } = messages({ quiet: true });
    await told.info("a");
    await told.warn("b");
    await told.important("c");
    await told.fail(new CatalogError("missing", "d"));
    expect(err.text).toBe("c\nerror: d\n");
  });

  test("in JSON mode are one line of JSON each, with the unchanged text", async () => {
    const { err, told } = messages({ json: true });
    await told.info(HOSTILE);
    await told.warn(HOSTILE);
    await told.fail(new CatalogError("missing", HOSTILE));
    expect(err.text).not.toMatch(UNSAFE);
    expect(
      err.text
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual([
      { notice: HOSTILE },
      { warning: HOSTILE },
      { error: { kind: "missing", message: HOSTILE } },
    ]);
  });

  test("with --verbose include traces and stacks as text, also in JSON mode", async () => {
    const { err, told } = messages({ json: true, verbose: true });
    await told.trace("GET /courses");
    const cause = new Error("deep", { cause: new Error("deeper") });
    await told.fail(new CatalogError("unreachable", "far", { cause }));
    const [trace, error, ...stack] = err.text.split("\n");
    expect(trace).toBe("GET /courses");
    expect(JSON.parse(error ?? "")).toEqual({ error: { kind: "unreachable", message: "far" } });
    expect(stack.join("\n")).toMatch(
      /^CatalogError: far\n[\s\S]*caused by: Error: deep\n[\s\S]*caused by: Error: deeper\n/,
    );
  });

  test("without --verbose have no stack", async () => {
    const { err, told } = messages();
    await told.fail(new CatalogError("internal", "broken", { cause: new Error("inside") }));
    expect(err.text).toBe("error: broken\n");
  });

  test("of every kind have control characters escaped", async () => {
    const { err, told } = messages({ verbose: true });
    await told.info(HOSTILE);
    await told.warn(HOSTILE);
    await told.trace(HOSTILE);
    await told.fail(new CatalogError("file", HOSTILE, { cause: new Error(HOSTILE) }));
    expect(err.text).not.toMatch(UNSAFE);
  });

  test("remember the kinds of failures in order", async () => {
    const { told } = messages();
    await told.fail(new CatalogError("file", "a"));
    told.record("unreachable");
    expect(told.kinds).toEqual(["file", "unreachable"]);
  });
});

describe("Messages on a terminal", () => {
  const LONG = new CatalogError(
    "refused",
    "cannot create the course because the service rejected it",
    {
      hint: "the audio languages of a course must be language codes such as en or pt-BR",
      advice: "Correct the field audio in the file and push the folder again",
    },
  );
  const words = (text: string): string[] => text.split(/\s+/).filter((word) => word !== "");

  test.each([20, 40, 60, 80])("break only between words at %i columns", async (columns) => {
    const err = new Memory({ isTerminal: true, columns });
    const styles = async () => stylesFor(1);
    const options = { err, json: false, quiet: false, verbose: true, styles };
    const told = new Messages(options);
    await told.info("Showing the first 100 courses; there may be more. Use --all for all of them.");
    await told.warn("编程 courses have no language; 编程 is not a language code");
    await told.fail(LONG);
    const text = err.text.replace(COLORS, "").split("CatalogError:")[0] ?? "";
    for (const line of text.split("\n")) expect(stringWidth(line)).toBeLessThanOrEqual(columns);
    expect(words(text)).toEqual([
      ...words("Showing the first 100 courses; there may be more. Use --all for all of them."),
      ...words("warning: 编程 courses have no language; 编程 is not a language code"),
      ...words(failureText(LONG, plain)),
    ]);
  });

  test("indent the lines of an error that continue another one", async () => {
    const err = new Memory({ isTerminal: true, columns: 40 });
    const options = { err, json: false, quiet: false, verbose: false, styles: async () => plain };
    await new Messages(options).fail(LONG);
    expect(err.text).toBe(
      [
        "error: cannot create the course",
        "    because the service rejected it",
        "  hint: the audio languages of a",
        "    course must be language codes such",
        "    as en or pt-BR",
        "  Correct the field audio in the file",
        "    and push the folder again.",
        "",
      ].join("\n"),
    );
  });

  test("are not wrapped off a terminal", async () => {
    const err = new Memory();
    const options = { err, json: false, quiet: false, verbose: false, styles: async () => plain };
    await new Messages(options).info("word ".repeat(60).trim());
    expect(err.text).toBe(`${"word ".repeat(60).trim()}\n`);
  });
});
