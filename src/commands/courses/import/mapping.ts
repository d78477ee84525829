/** Compiles and runs mappings: JSONata expressions from one source row to one course. */
import jsonata from "jsonata";
import { CatalogError } from "../../../base/errors.ts";
import { isList, isObject, type PlainObject } from "../../../base/values.ts";
import { LineIndex } from "../../../files/position.ts";
import { fitCourse } from "./fit-course.ts";
import { HELPERS } from "./helpers.ts";

/** The text of a mapping, with its name in messages. */
export interface MappingText {
  readonly name: string;
  readonly text: string;
}

/** The course of a row; undefined to skip the row; or why there is none. */
export type Mapped = PlainObject | undefined | MappingFailure;

/** Why a row could not be mapped. */
export class MappingFailure {
  /** A clause with the place in the mapping. */
  readonly message: string;
  /** Whether no other row needs to be tried. */
  readonly isFinal: boolean;

  constructor(message: string, isFinal = false) {
    this.message = message;
    this.isFinal = isFinal;
  }
}

/** Limits of one row: milliseconds, nested calls, and items of one list. */
const LIMITS = { timeout: 1000, stack: 200, sequence: 100_000 };
/** JSONata's codes for a row that exceeds them. */
const LIMIT_CODES: ReadonlySet<string> = new Set(["D1011", "D1012", "D2015"]);

/** Compiles a mapping. @throws CatalogError of kind `file` with the line and column of an error */
export function compileMapping({ name, text }: MappingText): (row: unknown) => Promise<Mapped> {
  const lines = new LineIndex(text);
  const at = (position: number): { line: number; column: number } =>
    lines.range({ start: Math.max(0, position - 1), end: position });
  const expression = compile();
  for (const [helper, { run, signature }] of Object.entries(HELPERS)) {
    expression.registerFunction(helper, run, signature);
  }
  return async (row) => {
    try {
      return courseOf(await expression.evaluate(row), name);
    } catch (error) {
      const { message, position, code } = factsOf(error);
      const { line, column } = at(position);
      const where = `${name}:${line}:${column}`;
      return new MappingFailure(`the mapping fails at ${where}: ${message}`, LIMIT_CODES.has(code));
    }
  };

  function compile(): jsonata.Expression {
    try {
      return jsonata(text, LIMITS);
    } catch (error) {
      const { message, position } = factsOf(error);
      const { line, column } = at(position);
      throw new CatalogError("file", `${name} is not a valid mapping: ${message}`, {
        ...{ file: name, line, column, rule: "mapping" },
        advice: "A mapping is a JSONata expression; see docs/import.md.",
      });
    }
  }
}

function courseOf(result: unknown, name: string): Mapped {
  if (result === undefined || result === null) return undefined;
  const [only, ...others] = isList(result) ? result : [result];
  if (others.length > 0) {
    return new MappingFailure(
      `the mapping ${name} returns ${others.length + 1} values, not one course`,
    );
  }
  if (isObject(only)) return fitCourse(only);
  return new MappingFailure(`the mapping ${name} returns ${JSON.stringify(only)}, not a course`);
}

interface Facts {
  readonly message: string;
  /** In characters, from 1. */
  readonly position: number;
  readonly code: string;
}

/** JSONata throws plain objects. */
function factsOf(error: unknown): Facts {
  const { message, position, code } =
    isObject(error) || error instanceof Error
      ? (error as { message?: unknown; position?: unknown; code?: unknown })
      : {};
  return {
    message: typeof message === "string" ? message.replace(/\.$/, "") : String(error),
    position: typeof position === "number" ? position : 1,
    code: typeof code === "string" ? code : "",
  };
}
