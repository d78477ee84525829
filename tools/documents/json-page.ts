/** Writes docs/json.md from the table of JSON shapes. */
import type { JsonSchema } from "../../src/course/cross-field-rules.ts";
import { SHAPE_NAMES, type ShapeName, shapeNamed } from "../../src/output/shapes.ts";

const INTRODUCTION = `<!-- Written by npm run documents from src/output/shapes.yaml. -->

# JSON output

With \`--json\`, commands print these shapes to standard output, and their messages as JSON lines to
standard error. \`catalog schema <name>\` prints the JSON Schema (2020-12) of a shape; the package contains the
same files as \`course-catalog-cli/schemas/<name>.schema.json\`.

Compatibility: within a major version we may add fields, but never rename, remove or retype them. Ignore
fields that you do not know.

A field with \`?\` may be missing.
`;

/** The page: a section for each shape, with its fields and an example. */
export function jsonPage(): string {
  return [INTRODUCTION, ...SHAPE_NAMES.map(section)].join("\n");
}

function section(name: ShapeName): string {
  const { description, commands, schema, example } = shapeNamed(name);
  const printed = commands.map((command) => `\`catalog ${command}\``).join(", ");
  const rows = keysOf(schema, "").map(
    (cells) => `| \`${cells[0]}\` | ${cells[1]} | ${cells[2].replaceAll("|", "\\|")} |`,
  );
  return [
    `## ${name}`,
    description,
    ...(printed === "" ? [] : [`Printed by ${printed}.`]),
    ["| field | type | description |", "| --- | --- | --- |", ...rows].join("\n"),
    `\`\`\`json\n${JSON.stringify(example, null, 2)}\n\`\`\`\n`,
  ].join("\n\n");
}

/** The fields of a schema: path, type and description. The path of an optional field ends with `?`. */
function keysOf(schema: JsonSchema, path: string): [string, string, string][] {
  if (Array.isArray(schema.anyOf)) {
    const rows = (schema.anyOf as JsonSchema[]).flatMap((each) => keysOf(each, path));
    // One course and a list of courses have the same fields; of different ones with one name, the first counts.
    return rows.filter(([name], index) => rows.findIndex((row) => row[0] === name) === index);
  }
  // A list has the fields of its elements.
  if (schema.items !== undefined) {
    return keysOf(schema.items as JsonSchema, path === "" ? "" : `${path}[]`);
  }
  const required = (schema.required ?? []) as readonly string[];
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
  return properties.flatMap(([name, property]): [string, string, string][] => {
    const key = path === "" ? name : `${path}.${name}`;
    const shown = required.includes(name) ? key : `${key}?`;
    return [
      [shown, typeText(property), String(property.description ?? "")],
      ...keysOf(property, key),
    ];
  });
}

function typeText({ type, enum: words, anyOf }: JsonSchema): string {
  if (Array.isArray(words)) return words.map((word) => `\`${word}\``).join(", ");
  if (Array.isArray(anyOf)) return anyOf.map(typeText).join(" or ");
  const types = Array.isArray(type) ? type : [type ?? "any"];
  return types.join(" or ");
}
