/** Files that are not valid JSON, YAML or text, and the position of the problem. */
import { bytes, json, type PositionCase, yaml } from "./position-case.ts";

const JSON_SYNTAX: readonly PositionCase[] = [
  json("a comma before the end of an object", '{"name": "A",}', "1:14 syntax"),
  json("a key without quotes", '{name: "A"}', "1:2 syntax"),
  json("a line comment", '{\n  // The name\n  "name": "A"\n}', "2:3 syntax"),
  json("YAML", "name: A\n", "1:1 syntax"),
  json("two courses", '{"name": "A"}\n{"name": "B"}\n', "2:1 syntax"),
  json("a string cut off by the end of the line", '{"name": "A\n}', "1:10-1:11 syntax"),
  json("an object cut off by the end of the file", '{"name": "A"', "1:13-1:13 syntax"),
  json("after wide characters", '{"name": "🧶", \'a\': 1}', "1:16 syntax"),
  json("after a line separator", '{"name": "a\u2028b",}', "1:16 syntax"),
  json("after a byte order mark", '\ufeff{"name": "A",}', "1:14 syntax"),
  json("after CRLF", '{\r\n\t"name": "A",\r\n}\r\n', "3:1 syntax"),
];

const YAML_SYNTAX: readonly PositionCase[] = [
  yaml("a tab as indentation", "name: A\nprices:\n\t- type: x\n", "3:1 syntax"),
  yaml("a key indented too far", "name: A\n  pace: b\n", "1:7 syntax"),
  yaml(
    "a key indented between two levels",
    "certificate:\n    type: a\n  price: b\n",
    "3:3 syntax",
  ),
  yaml("double quotes that are not closed", 'name: "Knit\npace: b\n', "1:7 syntax"),
  yaml("double quotes cut off by the end of the file", 'pace: b\nname: "Knit\n', "2:7-2:8 syntax"),
  yaml("a list that is not closed", "audio: [en, fr\npace: b\n", "1:8 syntax"),
  yaml("a list closed with a brace", "{name: A, audio: [en}\n", "1:18 syntax"),
  yaml("an alias without an anchor", "name: A\npace: *slow\n", "2:7 syntax"),
  yaml("a directive without a document", "%YAML 1.2\nname: A\n", "2:1 syntax"),
  yaml("a colon in a plain string", "name: Learn: fast\n", "1:7 syntax"),
  yaml("a line without a colon", "name: A\nurl b\npace: c\n", "2:1 syntax"),
  yaml("an escape beyond Unicode", 'name: "\\U00110000"\n', "1:8 syntax"),
  yaml("a null byte", "name: a\u0000b\n", "1:8 syntax"),
  ...["omap [{b: 1}]", "set {b}", "pairs [{b: 1}]", "timestamp 2020-01-01", "binary aGk="].map(
    (value) => yaml(`the tag of ${value}`, `a: !!${value}\n`, "1:4 syntax"),
  ),
  yaml("the tag of a merge key", "!!merge <<: {a: 1}\n", "1:1 syntax"),
  yaml("an empty template", "name: {{ title }}\n", "1:8 syntax"),
  yaml("a list as a key", "pace: b\n? [a, b]\n: c\n", "2:3 syntax"),
  yaml("after wide characters", '"編🧶": @A\n', "1:8 syntax"),
  yaml("after CRLF", "name: A\r\n\tpace: b\r\n", "2:1 syntax"),
];

const TEXTS: readonly [says: string, text: string, find: string][] = [
  ["a byte of Latin-1", "name: A\npace: caf<e9>\n", "2:10-2:11 encoding"],
  ["after a byte order mark", "<ef><bb><bf>name: <ff>\n", "1:7 encoding"],
  ["after a replacement character", "name: \ufffd\npace: \ufffd<ff>\n", "2:8 encoding"],
  ["two bytes cut to one at the end", "name: caf<c3>", "1:10-1:11 encoding"],
];

const ENCODING: readonly PositionCase[] = [
  ...TEXTS.flatMap(([says, text, find]) => [
    yaml(says, bytes(text), find),
    // Encoding is checked before syntax, so this is not reported as invalid JSON.
    json(says, bytes(text), find),
  ]),
  json("a truncated character in a string", bytes('{"name": "caf<c3>'), "1:14-1:15 encoding"),
];

const nested = (depth: number, inner = ""): string =>
  `${"[".repeat(depth)}${inner}${"]".repeat(depth)}`;

/** One key per line, each nested in the one before. */
const stairs = (depth: number): string =>
  Array.from({ length: depth }, (_, level) => `${"  ".repeat(level)}a:`).join("\n");

const LIMITS: readonly PositionCase[] = [
  json("101 levels", `{"name": ${nested(100)}}`, "1:109-1:110 too-deep"),
  json("101 levels that are not closed", `{"name": ${"[".repeat(1000)}`, "1:109-1:110 too-deep"),
  yaml("101 levels that are not closed", `name: ${"[".repeat(3000)}`, "1:107-1:108 too-deep"),
  yaml("101 levels of blocks", `${stairs(101)} 1\n`, "101:201 too-deep"),
  yaml(
    "aliases of aliases, after one that is allowed",
    [
      "name: &name A",
      "slug: *name",
      `x: &x [${Array(3000).fill("*name").join(", ")}]`,
      `y: [${Array(3000).fill("*x").join(", ")}]`,
      "",
    ].join("\n"),
    "4 too-many-aliases",
  ),
  yaml(
    "an alias inside its own anchor",
    "slug: &s b\nid: *s\nname: &a [x, *a]\n",
    "3:14 too-many-aliases",
  ),
];

/** All files that cannot be read as courses. */
export const SYNTAX_CASES: readonly PositionCase[] = [
  ...JSON_SYNTAX,
  ...YAML_SYNTAX,
  ...ENCODING,
  ...LIMITS,
];
