/** Describes the fields of a course file in words: for `catalog explain` and docs/fields.md. */
import { dump } from "js-yaml";
import { joinList } from "../base/text.ts";
import { formatPath, type Path } from "../base/values.ts";
import type { Format } from "./formats.ts";
import type { Key, Shape } from "./shape.ts";
import { describeShape } from "./zod-problems.ts";

/** One field, or one key inside a field, as plain data. */
export interface FieldGuide {
  /** Its path: `prices[0].currency`. */
  readonly field: string;
  /** What a value is: `a list of objects`. */
  readonly type: string;
  readonly required: boolean;
  readonly readOnly: boolean;
  readonly description: string;
  /** The allowed values, if there are few. */
  readonly values?: readonly string[] | undefined;
  /** What an absent or null value means. */
  readonly default?: unknown;
  /** The flag of `create` and `update` that sets it. */
  readonly flag?: string | undefined;
  /** How it is written in a YAML file. */
  readonly example: string;
  /** The keys of its value, or of each element of its list. */
  readonly keys: readonly FieldGuide[];
}

/** The guide of a key. @param path to it */
export function guideOf(key: Key, path: Path): FieldGuide {
  const { shape, required, readOnly, description, flag } = key;
  return {
    field: formatPath(path),
    type: typeText(shape),
    required,
    readOnly,
    description,
    values: valuesOf(shape),
    default: key.default,
    flag: flag && `--${flag}`,
    example: dump({ [key.name]: key.example }, { lineWidth: 76, quoteStyle: "double" }),
    keys: keysInside(shape, path),
  };
}

function keysInside(shape: Shape, path: Path): FieldGuide[] {
  if (shape.kind === "list") return keysInside(shape.of, [...path, 0]);
  if (shape.kind !== "object") return [];
  return shape.keys.map((key) => guideOf(key, [...path, key.name]));
}

function valuesOf(shape: Shape): readonly string[] | undefined {
  if (shape.kind === "list") return valuesOf(shape.of);
  return shape.kind === "enum" ? shape.values : undefined;
}

const FORMAT_TEXTS: Readonly<Record<Format, readonly [one: string, many: string]>> = {
  url: ["a URL that begins with http:// or https://", "URLs"],
  uuid: ["a UUID", "UUIDs"],
  language: ["a language code such as en or pt-BR", "language codes such as en or pt-BR"],
  currency: ["a currency code such as EUR", "currency codes"],
  amount: ['an amount in quotes, such as "49.90"', "amounts in quotes"],
};

/** What a value of this shape is, with its article and more detail than in a message. */
function typeText(shape: Shape): string {
  const text = describeShape(shape);
  if (shape.kind === "list") return `${text} of ${pluralText(shape.of)}`;
  if (shape.kind === "paragraphs") return "a string, or a list of strings with one paragraph each";
  if (shape.kind === "any") return "set by the service";
  if (shape.kind === "number" && shape.minimum !== undefined) {
    return `${text} of at least ${shape.minimum}`;
  }
  const isFormat = shape.kind === "string" && shape.format !== undefined;
  return isFormat ? FORMAT_TEXTS[shape.format][0] : text;
}

function pluralText(shape: Shape): string {
  if (shape.kind === "object") return "objects";
  if (shape.kind === "enum") return joinList(shape.values, "and");
  if (shape.kind !== "string") return `values that are each ${typeText(shape)}`;
  return shape.format === undefined ? "strings" : FORMAT_TEXTS[shape.format][1];
}
