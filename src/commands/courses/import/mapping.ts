/** Compiles and runs mappings: JSONata expressions from one source row to one course. */
import { CatalogError } from "../../../base/errors.ts";
import { truncate } from "../../../base/text.ts";
import { isList, isObject, type PlainObject } from "../../../base/values.ts";
import { LineIndex } from "../../../files/position.ts";
import { fitCourse } from "./fit-course.ts";
import { compileExpression, type Evaluated, type Failure } from "./jsonata-engine.ts";

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

/** Characters of a mapping, and of the JSON of a course. */
const LONGEST_MAPPING = 256 * 1024;
const LONGEST_COURSE = 1024 * 1024;
/** The codes of a row that exceeds a limit: the time, the nested calls, or the items of a list. */
const LIMIT_CODES: ReadonlySet<string> = new Set(["timeout", "D1011", "D2015"]);

/** Maps rows. @returns the results of at least the first of them */
export type Mapping = (rows: readonly unknown[]) => readonly Mapped[];

/** Compiles a mapping. @throws CatalogError of kind `file` with the line and column of an error */
export function compileMapping({ name, text }: MappingText): Mapping {
  if (text.length > LONGEST_MAPPING) {
    const message = `${name} is larger than ${LONGEST_MAPPING / 1024} KiB, the limit for a mapping`;
    throw new CatalogError("file", message, { file: name, rule: "too-large" });
  }
  const lines = new LineIndex(text);
  const placeOf = ({ position }: Failure): { line: number; column: number } =>
    lines.range({ start: Math.max(0, position - 1), end: position });
  const evaluate = compileExpression(text);
  if (typeof evaluate === "object") {
    const { line, column } = placeOf(evaluate);
    throw new CatalogError("file", `${name} is not a valid mapping: ${reasonOf(evaluate)}`, {
      ...{ file: name, line, column, rule: "mapping" },
      advice: "A mapping is a JSONata expression; see docs/import.md.",
    });
  }
  const mapped = ({ json, failure }: Evaluated): Mapped => {
    if (failure !== undefined) {
      const { line, column } = placeOf(failure);
      const message = `the mapping fails at ${name}:${line}:${column}: ${reasonOf(failure)}`;
      return new MappingFailure(message, LIMIT_CODES.has(failure.code));
    }
    if (json === undefined || json.length <= LONGEST_COURSE) return courseOf(json, name);
    const size = `more than ${LONGEST_COURSE / 1024 / 1024} MiB`;
    return new MappingFailure(`the mapping ${name} returns ${size}, not one course`, true);
  };
  return (rows) => evaluate(rows).map(mapped);
}

function courseOf(json: string | undefined, name: string): Mapped {
  const result: unknown = json === undefined ? null : JSON.parse(json);
  if (result === null) return undefined;
  const [only, ...others] = isList(result) ? result : [result];
  if (others.length > 0) {
    return new MappingFailure(
      `the mapping ${name} returns ${others.length + 1} values, not one course`,
    );
  }
  if (isObject(only)) return fitCourse(only);
  const found = truncate(JSON.stringify(only) ?? "an empty list");
  return new MappingFailure(`the mapping ${name} returns ${found}, not a course`);
}

/** The message as a clause. */
function reasonOf({ message }: Failure): string {
  const isStack = message.startsWith("Maximum call stack");
  return isStack ? "it nests too deeply" : message.replace(/\.$/, "");
}
