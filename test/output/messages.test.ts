import { describe, expect, test } from "vitest";
import { CatalogError } from "../../src/base/errors.ts";
import { failureFacts, failureJson, failureText } from "../../src/output/failure.ts";
import { Messages } from "../../src/output/messages.ts";
import { plain } from "../../src/output/text-measure.ts";
import { Memory } from "./rig.ts";

function createMessages(
  options: Partial<{ json: boolean; quiet: boolean; verbose: boolean }> = {},
) {
  const err = new Memory({ isTerminal: true });
  const messages = new Messages({
    err,
    json: false,
    quiet: false,
    verbose: false,
    styles: plain,
    ...options,
  });
  return { err, messages };
}

const REFUSED = new CatalogError(
  "rejected",
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
  test("failureText prints what failed, where, why, and what to do", () => {
    expect(failureText(REFUSED, plain)).toBe(
      [
        "courses/a.yaml:3:8: error: could not create the course: the service rejected the request",
        "  service: audio must not be empty. Failing row.",
        "  Correct the file and push again.",
      ].join("\n"),
    );
  });

  test("failureText prints a position once", () => {
    const position = { file: "a.yaml", line: 2, column: 1 };
    expect(failureText(new CatalogError("file", "invalid", position), plain)).toBe(
      "a.yaml:2:1: error: invalid",
    );
    expect(
      failureText(new CatalogError("file", "could not read a.yaml", { file: "a.yaml" }), plain),
    ).toBe("error: could not read a.yaml");
    expect(
      failureText(new CatalogError("file", "bad", { ...position, rule: "service" }), plain),
    ).toBe("a.yaml:2:1: error: bad [service]");
  });
});

test("failureJson contains the known facts in the documented order", () => {
  expect(JSON.parse(failureJson(REFUSED))).toEqual({ error: failureFacts(REFUSED) });
  expect(Object.keys(failureFacts(REFUSED))).toEqual(
    "kind message hint details status code file line column next".split(" "),
  );
  expect(failureFacts(new CatalogError("usage", "no"))).toEqual({ kind: "usage", message: "no" });
});

describe("Messages", () => {
  test("Messages prints traces and causes as text with verbose, even with json, and stacks only of bugs", async () => {
    const { err, messages } = createMessages({ json: true, verbose: true });
    await messages.trace("GET /courses");
    const cause = new Error("deep", { cause: new Error("deeper") });
    await messages.fail(new CatalogError("unreachable", "far", { cause }));
    const [trace, error, ...causes] = err.text.split("\n");
    expect(trace).toBe("GET /courses");
    expect(JSON.parse(error ?? "")).toEqual({ error: { kind: "unreachable", message: "far" } });
    expect(causes).toEqual(["caused by: Error: deep", "caused by: Error: deeper", ""]);
    const bug = createMessages({ verbose: true });
    await bug.messages.fail(new CatalogError("internal", "broken", { cause }));
    expect(bug.err.text).toMatch(
      /\nCatalogError: broken\n +at [\s\S]*caused by: Error: deep\n +at [\s\S]*caused by: Error: deeper\n/,
    );
  });
});

describe("Messages on a terminal", () => {
  const LONG = new CatalogError(
    "rejected",
    "cannot create the course because the service rejected it",
    {
      hint: "the audio languages of a course must be language codes such as en or pt-BR",
      advice: "Correct the field audio in the file and push the folder again",
    },
  );

  test("Messages indents the continued lines of an error", async () => {
    const err = new Memory({ isTerminal: true, columns: 40 });
    const options = { err, json: false, quiet: false, verbose: false, styles: plain };
    await new Messages(options).fail(LONG);
    expect(err.text).toBe(
      [
        "error: cannot create the course",
        "    because the service rejected it",
        "  service: the audio languages of a",
        "    course must be language codes such",
        "    as en or pt-BR",
        "  Correct the field audio in the file",
        "    and push the folder again.",
        "",
      ].join("\n"),
    );
  });
});
