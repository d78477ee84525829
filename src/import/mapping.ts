/** Runs mappings, which are JSONata expressions that turn one source row into one course. */
import jsonata, { type Expression, type ExprNode } from "jsonata";
import { CatalogError } from "../base/errors.ts";
import { truncate } from "../base/text.ts";
import { addTo, isList, isObject, type PlainObject } from "../base/values.ts";
import { COURSE_SHAPE } from "../course/fields.ts";
import { readValue } from "../course/read-value.ts";
import type { Shape } from "../course/shape.ts";
import { LineIndex } from "../files/diagnostic.ts";
import { MAPPING_FUNCTIONS } from "./mapping-functions.ts";
import {
  type ColumnsByName,
  columnsOfCalls,
  columnsOfFields,
  findResult,
  type ObjectNode,
} from "./mapping-parts.ts";
import type { CountedValue } from "./understood-values.ts";

/** The result for a row. A row with neither a course nor a failure is skipped. */
export interface Mapped {
  readonly course?: PlainObject;
  readonly failures?: readonly MappingFailure[];
  /** The values that were given to functions. */
  readonly counted?: readonly CountedValue[];
}

/** Why a row, or a field of its course, could not be mapped. */
export interface MappingFailure {
  /** The field that is missing from the course; undefined if there is no course. */
  readonly field?: string | undefined;
  /** A clause with the place in the mapping. */
  readonly message: string;
}

/** A mapping that calls itself endlessly fails with a place, before it fills the memory. */
const OPTIONS = { stack: 500 };

/** The name of a function that JSONata calls after each step. */
const AFTER_STEP = Symbol.for("jsonata.__evaluate_exit");

/** A mapping. It is the user's own program, so it may run as long as it needs. */
export class Mapping {
  readonly name: string;
  readonly #lines: LineIndex;
  readonly #expression: Expression;
  readonly #result: ObjectNode | undefined;
  readonly #columns: ColumnsByName;
  /** The row that is mapped, and its values that were given to functions. */
  #row: PlainObject = {};
  #values = new Map<string, Map<unknown, boolean>>();
  #parts: CountedValue[] = [];
  /** The position of the latest step in the text, from 1. */
  #position = 1;

  /** @param name for messages @throws CatalogError of kind `file` with the line and column of an error */
  constructor(name: string, text: string) {
    this.name = name;
    this.#lines = new LineIndex(text);
    try {
      this.#expression = jsonata(text, OPTIONS);
    } catch (error) {
      throw new CatalogError("file", explainError(error), {
        file: name,
        ...this.#placeOf(error),
        rule: "mapping",
        advice:
          'A mapping is a JSONata expression (https://jsonata.org). For its functions, run "catalog courses import --help".',
      });
    }
    this.#result = findResult(this.#expression.ast());
    this.#columns = columnsOfFields(this.#result);
    this.#registerFunctions();
  }

  columnsOf(field: string): readonly string[] {
    return this.#columns.get(field) ?? [];
  }

  /** Whether a field uses the column. */
  uses(column: string): boolean {
    return [...this.#columns.values()].some((used) => used.includes(column));
  }

  /** For each column that the mapping uses and that is not among `columns`, the fields that use it. */
  fieldsWithout(columns: ReadonlyMap<string, unknown>): ReadonlyMap<string, readonly string[]> {
    const fields = new Map<string, string[]>();
    for (const [field, used] of this.#columns) {
      for (const column of used) if (!columns.has(column)) addTo(fields, column, field);
    }
    return fields;
  }

  /** Maps a row. If only some fields fail, the result is a course without them. */
  async map(row: unknown): Promise<Mapped> {
    this.#row = isObject(row) ? row : {};
    this.#values = new Map();
    this.#parts = [];
    try {
      const course = courseOf(await this.#evaluate(row), this.name);
      return { ...course, counted: this.#counted() };
    } catch (error) {
      const mapped = (await this.#mapFields(row)) ?? { failures: [this.#failure(error)] };
      return { ...mapped, counted: this.#counted() };
    }
  }

  /** The result as JSON has it. @throws what JSONata throws, or an error if the result contains a function */
  async #evaluate(row: unknown): Promise<unknown> {
    this.#position = 1;
    const json = JSON.stringify(await this.#expression.evaluate(row), (_, value: unknown) => {
      if (isFunction(value)) throw { message: "the result contains a function" };
      return value;
    });
    return json === undefined ? null : JSON.parse(json);
  }

  /** Evaluates each field separately, for a course without the fields that fail; undefined if no single field fails. */
  async #mapFields(row: unknown): Promise<Mapped | undefined> {
    const result = this.#result;
    if (result === undefined) return undefined;
    const pairs = result.lhs;
    const failures: MappingFailure[] = [];
    let course: PlainObject = {};
    // What the complete mapping was given, the single fields are given again.
    this.#parts = [];
    for (const pair of pairs) {
      // Changes the tree that JSONata evaluates.
      result.lhs = [pair];
      try {
        course = { ...course, ...Object(await this.#evaluate(row)) };
      } catch (error) {
        failures.push(this.#failure(error, String(pair[0].value ?? "a field")));
      }
    }
    result.lhs = pairs;
    if (failures.length === 0 || failures.length === pairs.length) return undefined;
    return { ...courseOf(course, this.name), failures };
  }

  #registerFunctions(): void {
    const calls = columnsOfCalls(this.#expression.ast());
    for (const [name, { run, signature, parts }] of Object.entries(MAPPING_FUNCTIONS)) {
      const used = [...new Set(calls.get(name))];
      const observed = (...given: Parameters<typeof run>): unknown => {
        const result = run(...given);
        const [argument] = given;
        const [first = name] = used;
        if (parts === undefined) this.#count(argument, used, result !== undefined);
        else for (const part of parts(argument)) this.#parts.push({ column: first, ...part });
        return result;
      };
      this.#expression.registerFunction(name, observed, signature);
    }
    // JSONata's types allow only strings as names.
    const names: { assign(name: string | symbol, value: unknown): void } = this.#expression;
    names.assign(AFTER_STEP, ({ position }: ExprNode): void => {
      this.#position = position ?? this.#position;
    });
  }

  /** Counts a value once, even if several functions are given it. */
  #count(argument: unknown, used: readonly string[], isUnderstood: boolean): void {
    for (const column of columnsWith(argument, used, this.#row)) {
      const cell = this.#row[column];
      // The argument may be a part of the value, or the value with a unit.
      const value = typeof cell === "object" ? argument : cell;
      const values = this.#values.get(column) ?? new Map<unknown, boolean>();
      this.#values.set(column, values.set(value, isUnderstood || values.get(value) === true));
    }
  }

  #counted(): CountedValue[] {
    const values = [...this.#values].flatMap(([column, own]) =>
      [...own].map(([value, isUnderstood]) => ({ column, value, isUnderstood })),
    );
    return [...values, ...this.#parts];
  }

  #failure(error: unknown, field?: string): MappingFailure {
    const { line, column } = this.#placeOf(error);
    const place = `${this.name}:${line}:${column}`;
    return { field, message: `the mapping fails at ${place}: ${explainError(error)}` };
  }

  #placeOf(error: unknown): { readonly line: number; readonly column: number } {
    const { position = this.#position } = Object(error);
    return this.#lines.range({ start: Math.max(0, position - 1), end: position });
  }
}

/** The reason as a clause: in the words of JSONata, or of the mapping if it calls `$error`. */
function explainError(error: unknown): string {
  if (Object(error).code === "T1006") return "this is not a function";
  const text = String(Object(error).message ?? error).replace(/\.$/, "");
  return text.replace(/^[A-Z](?![A-Z])/, (letter) => letter.toLowerCase());
}

/** The columns with this value. If only one column is filled, that column, because the value may be a part of it. */
function columnsWith(argument: unknown, used: readonly string[], row: PlainObject) {
  // JSONata turns a single value into a list if the signature requires a list.
  const value = isList(argument) && argument.length === 1 ? argument[0] : argument;
  const filled = used.filter((column) => (row[column] ?? "") !== "");
  const equal = filled.filter((column) => row[column] === value);
  return equal.length === 0 && filled.length === 1 ? filled : equal;
}

function isFunction(value: unknown): boolean {
  const isOfJsonata =
    isObject(value) && ("_jsonata_lambda" in value || "_jsonata_function" in value);
  return isOfJsonata || typeof value === "function";
}

function courseOf(result: unknown, name: string): Mapped {
  if (result === null) return {};
  const [only, ...others] = isList(result) ? result : [result];
  const isOne = others.length === 0;
  if (isOne && isObject(only)) return { course: Object(fitValue(only, COURSE_SHAPE)) };
  const found = isOne
    ? `${truncate(JSON.stringify(only) ?? "an empty list")}, not a course`
    : `${others.length + 1} values, not one course`;
  return { failures: [{ message: `the mapping ${name} returns ${found}` }] };
}

/** The value without empty strings and lists in its objects. A single value for a field with a list becomes a list. */
function fitValue(value: unknown, shape: Shape | undefined): unknown {
  if (shape?.kind === "list" && value !== null) {
    const items = isList(value) ? value : [value];
    return items.map((item) => fitValue(item, shape.of)).filter((item) => !isEmpty(item));
  }
  if (shape?.kind !== "object" || !isObject(value)) return readValue(value, shape, "program");
  const entries = Object.entries(value).map(([name, each]) => {
    return [name, fitValue(each, shape.byName.get(name)?.shape)] as const;
  });
  return Object.fromEntries(entries.filter(([, each]) => !isEmpty(each)));
}

function isEmpty(value: unknown): boolean {
  if (isList(value)) return value.length === 0;
  return value === undefined || (typeof value === "string" && value.trim() === "");
}
