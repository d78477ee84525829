/** The ways in which people and programs write course files, for tests that a text means the same in each. */
import { Document, type Scalar, type ToStringOptions, visit, type visitor } from "yaml";

/** A named way to write a file. */
export interface Style {
  readonly style: string;
  readonly extension: "yaml" | "json";
  /** Writes courses as a list, or as documents. */
  readonly write: (courses: readonly unknown[]) => string;
}

/** How YAML is written: the options of `yaml`, and what is added to each value. */
interface Manner extends ToStringOptions {
  readonly add?: visitor;
  readonly several?: "list" | "documents";
  readonly newline?: string;
}

function yaml(style: string, { add, several, newline = "\n", ...options }: Manner): Style {
  const writeOne = (value: unknown): string => {
    const document = new Document(value, { schema: "core", aliasDuplicateObjects: false });
    if (add !== undefined) visit(document, add);
    return document.toString({ lineWidth: 0, ...options }).replaceAll("\n", newline);
  };
  const write = (courses: readonly unknown[]): string =>
    several === "documents" ? courses.map(writeOne).join(`---${newline}`) : writeOne(courses);
  return { style, extension: "yaml", write };
}

function json(style: string, indent?: string, newline = "\n"): Style {
  const write = (courses: readonly unknown[]): string =>
    JSON.stringify(courses, null, indent).replaceAll("\n", newline);
  return { style, extension: "json", write };
}

const FLOW = { collectionStyle: "flow" } as const;
const DOCUMENTS = { several: "documents" } as const;
const CRLF = { newline: "\r\n" } as const;

/** The tag of a value that is no list and no object. */
function tagOf({ value }: Scalar): string {
  const names = {
    string: "str",
    boolean: "bool",
    number: Number.isInteger(value) ? "int" : "float",
  };
  return `tag:yaml.org,2002:${names[typeof value as keyof typeof names] ?? "null"}`;
}

export const STYLES: readonly Style[] = [
  yaml("YAML in blocks", {}),
  yaml("YAML in brackets", FLOW),
  yaml("YAML documents", DOCUMENTS),
  yaml("YAML documents in brackets", { ...FLOW, ...DOCUMENTS }),
  yaml("YAML with CRLF", CRLF),
  yaml("YAML documents with CRLF", { ...CRLF, ...DOCUMENTS }),
  yaml("YAML in double quotes", { defaultStringType: "QUOTE_DOUBLE" }),
  yaml("YAML in single quotes", { defaultStringType: "QUOTE_SINGLE" }),
  yaml("YAML with short lines", { lineWidth: 20 }),
  yaml("YAML with nothing for null", { nullStr: "" }),
  yaml("YAML with comments and blank lines", {
    add: {
      Scalar: (_, node) => void Object.assign(node, { comment: " 編み物 🧶" }),
      Pair: (_, { key }) => void Object.assign(key as object, { commentBefore: "name: no value" }),
    },
  }),
  yaml("YAML with anchors of wide characters", {
    add: { Scalar: (at, node) => void (at !== "key" && Object.assign(node, { anchor: "編🧶" })) },
  }),
  yaml("YAML with tags", {
    add: { Scalar: (at, node) => void (at !== "key" && Object.assign(node, { tag: tagOf(node) })) },
  }),
  json("JSON on one line"),
  json("JSON with tabs", "\t"),
  json("JSON with CRLF", "  ", "\r\n"),
];
