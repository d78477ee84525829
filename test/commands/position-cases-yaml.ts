/** Positions in constructs of YAML: values, keys, aliases, block scalars. */
import { type PositionCase, yaml } from "./position-case.ts";

/** What is not written has the place of its key, or of its dash. */
const EMPTY: readonly PositionCase[] = [
  yaml("nothing for a value", "pace: x\nname:\n", "1:7-1:8 choice", "2:1-2:5 required"),
  yaml("nothing but a comment", "name:   # later\n", "1:1-1:5 required"),
  yaml("nothing, then empty lines", "name:\n\n\nid: 5\n", "1:1-1:5 required", "4:5-4:6 type"),
  yaml("nothing for an element", "audio:\n  -\n  - en\n", "2:3-2:4 type"),
  yaml(
    "empty elements, after dashes without a value",
    "level:\n  - 'a - b'   # not - this\n  # nor - that\n  -\n",
    "2:5-2:12 choice",
    "4:3-4:4 type",
  ),
  yaml("nothing for a course", "- name: 5\n-\n", "1:9-1:10 type", "2:1-2:2 not-a-course"),
  yaml("nothing in brackets", "{name: , id: 5}\n", "1:2-1:6 required", "1:14-1:15 type"),
  yaml("a key alone in brackets", "{name, id: 5}\n", "1:2-1:6 required", "1:12-1:13 type"),
  yaml("an explicit key alone", "? name\n? id\n: 5\n", "1:3-1:7 required", "3:3-3:4 type"),
  yaml("an anchor and no value", "name: &a\nid: 5\n", "1:1-1:5 required", "2:5-2:6 type"),
  yaml("a tag and no value", "pace: x\nname: !!str\n", "1:7-1:8 choice", "2:1-2:5 blank"),
  yaml("null in words", "name: null\naudio: ~\n", "1:7-1:11 required", "2:8-2:9 required"),
  yaml("no key", "name: 5\n: x\n", "1:7 type", "2:1-2:2 unknown-key"),
];

const NUMBERS: readonly PositionCase[] = [
  yaml(
    "numbers of every kind",
    [
      "name: 0x1F",
      "number_of_lessons: 0x1F",
      "duration_in_hours: 1e3",
      "url: .inf",
      "short_description: -.INF",
      "long_description: 0o17",
      "provider_id: .NaN",
      "slug: +12.50",
      "",
    ].join("\n"),
    "1:7-1:11 type",
    "4:6-4:10 type",
    "5:20-5:25 type",
    "6:19-6:23 type",
    "7:14-7:18 type",
    "8:7-8:13 type",
  ),
  yaml("infinity for a number", "duration_in_hours: .inf\n", "1:20-1:24 type"),
  yaml(
    "texts that older YAML took for something else",
    [
      "name: 2026-01-01",
      "short_description: no",
      "long_description: 12:30:45",
      "published: no",
      "free_content: yes",
      "paid_content: on",
      "assessments: True",
      "number_of_lessons: 1_000",
      "duration_in_hours: 0b11",
      "audio: [no, on]",
      "",
    ].join("\n"),
    "4:12-4:14 type",
    "5:15-5:18 type",
    "6:15-6:17 type",
    "8:20-8:25 type",
    "9:20-9:24 type",
    "10:13-10:15 language-code",
  ),
  yaml("a tagged number", "name: !!str 5\nslug: !!int 5\n", "2:13-2:14 type"),
  yaml("a tagged string", "pace: !!str 5\n", "1:13-1:14 choice"),
  yaml(
    "tagged mappings and lists",
    "audio: !!seq [xx]\ncertificate: !!map {}\nlevel: !!seq\n  - x\n",
    "1:15-1:17 language-code",
    "2:20-2:22 required",
    "4:5-4:6 choice",
  ),
];

const KEYS: readonly PositionCase[] = [
  yaml(
    "keys that are numbers",
    "0x1F: a\n1e3: b\n1.50: c\n7: d\n",
    "1:1-1:5 unknown-key",
    "2:1-2:4 unknown-key",
    "3:1-3:5 unknown-key",
    "4:1-4:2 unknown-key",
  ),
  yaml(
    "keys that are YAML constants",
    "True: a\n~: b\n.inf: c\n",
    "1:1-1:5 unknown-key",
    "2:1-2:2 unknown-key",
    "3:1-3:5 unknown-key",
  ),
  yaml(
    "keys in quotes and with escapes",
    '"colors": a\n\'na\\u006de\': b\n"\\x63olor": c\n',
    "1:1-1:9 unknown-key",
    "2:1-2:12 unknown-key",
    "3:1-3:11 unknown-key",
  ),
  yaml(
    "explicit keys",
    "? colors\n: red\n? pace\n: slow\n? prices\n:\n  - ? type\n    : rent\n",
    "1:3-1:9 unknown-key",
    "4:3-4:7 choice",
    "8:7-8:11 choice",
  ),
  yaml("a key with an anchor and a tag", "&k !!str colors: red\n", "1:10-1:16 unknown-key"),
  yaml("an alias for a key", "slug: &k name\n*k : 5\n", "2:6-2:7 type"),
  yaml(
    "a block scalar as a key",
    "pace: x\n? |\n  color\n: red\n",
    "1:7 choice",
    "2:3 unknown-key",
  ),
  yaml("an empty key", '"": a\n', "1:1-1:3 unknown-key"),
  yaml("__proto__", "__proto__: {a: 1}\n", "1:1-1:10 unknown-key"),
  yaml(
    "merge keys",
    "prices:\n  - &p\n    type: single_course\n  - <<: *p\n    type: x\n<<: {type: x}\n",
    "4:5-4:7 unknown-key",
    "5:11-5:12 choice",
    "6:1-6:3 unknown-key",
  ),
  yaml("a pair in a list", "audio: [en: fr]\n", "1:9-1:15 type"),
];

const ALIASES: readonly PositionCase[] = [
  yaml(
    "an alias of an invalid value",
    "slug: &a 5\nname: *a\naudio: [*a, en]\n",
    "1:10-1:11 type",
    "2:7-2:9 type",
    "3:9-3:11 type",
  ),
  yaml(
    "parts of an alias's value, at the anchor",
    "level: &l\n  - expert\naudio: *l\n",
    "2:5-2:11 language-code",
    "2:5-2:11 choice",
  ),
  yaml(
    "a key that is valid in only one of two aliased places",
    "certificate: &c {type: paid, price: '1'}\nvideo: *c\n",
    "1:24-1:28 choice",
    "1:30-1:35 unknown-key",
  ),
  yaml(
    "a key missing from an alias's value",
    "certificate: &c\n  price: '1'\n  currency: EUR\nprices: [*c]\n",
    "2:3-3:16 required",
    "4:10-4:12 required",
  ),
  yaml(
    "a course that is an alias",
    "- &a\n  pace: x\n- *a\n- [*a]\n",
    "2:9-2:10 choice",
    "3:3-3:5 choice",
    "4:3-4:7 not-a-course",
  ),
  yaml(
    "a redefined anchor",
    "slug: &a 5\nname: &a 6\nid: *a\n",
    "1:10 type",
    "2:10 type",
    "3:5 type",
  ),
];

const TEXTS: readonly PositionCase[] = [
  yaml(
    "plain text over several lines",
    "pace: slow\n  and steady\n\n  wins   # the race\nid: 5\n",
    "1:7-4:7 choice",
    "5:5-5:6 type",
  ),
  yaml(
    "quoted text over several lines",
    "pace: \"slow\n  and \\\n  steady\"   # wins\nid: 'a\n\n  b'\n",
    "1:7-3:10 choice",
    "4:5-6:5 uuid",
  ),
  yaml("text that begins on the next line", "pace:\n  # how\n  slow\n", "3:3-3:7 choice"),
  yaml(
    "a literal block",
    "pace: |\n  slow\n  and steady\n\n# end\nid: 5\n",
    "1:7-3:13 choice",
    "6:5 type",
  ),
  yaml(
    "a folded block",
    "pace: >\n  slow\n\n   steady\n\n\nid: 5\n",
    "1:7-4:10 choice",
    "7:5 type",
  ),
  yaml("a block with keep chomping", "pace: |+\n  slow\n\n\nid: 5\n", "1:7-2:7 choice", "5:5 type"),
  yaml("a block with its own indentation", "pace: |2-\n   slow\n", "1:7-2:8 choice"),
  yaml("a block after a comment", "pace: >-   # how\n  slow\n", "1:7-2:7 choice"),
  yaml("a block without text", "name: |\n\n  \nid: 5\n", "1:7 blank", "4:5 type"),
  yaml("a block where a list belongs", "syllabus: |\n  - title: a\n", "1:11-2:13 type"),
  yaml("a block in a list", "audio:\n  - |\n    xx\n  - fr\n", "2:5-3:7 language-code"),
  yaml("a block with CRLF", "pace: |\r\n  slow\r\n\r\nid: 5\r\n", "1:7-2:7 choice", "4:5 type"),
  yaml("a block with an anchor", "pace: &p |\n  slow\n", "1:10-2:7 choice"),
  yaml("a block at the end of the file", "pace: |\n  slow", "1:7-2:7 choice"),
];

const BRACKETS: readonly PositionCase[] = [
  yaml(
    "a list with spaces inside",
    "level: [ expert , ]\nslug: [ a ]\n",
    "1:10-1:16 choice",
    "2:7-2:12 type",
  ),
  yaml("a list over several lines", "name: [\n  a,   # first\n  b\n ]  # end\n", "1:7-4:3 type"),
  yaml(
    "a list that ends with a nested one",
    "name: [[a], [b]]\nid: {a: {b: []}}\n",
    "1:7-1:17 type",
    "2:5-2:17 type",
  ),
  yaml("an empty list and object", "name: []\nid: {}\n", "1:7-1:9 blank", "2:5-2:7 type"),
  yaml("brackets within quotes", 'name: ["]", \'}\', "\\"]"]\n', "1:7-1:24 type"),
  yaml("brackets within a comment", "name: [a  # ]\n ]\n", "1:7-2:3 type"),
  yaml(
    "an object whose last value is empty",
    "name: {a: }\nid: {a}\n",
    "1:7-1:12 type",
    "2:5-2:8 type",
  ),
  yaml("a list that ends with an alias", "slug: &a b\nname: [*a ]\n", "2:7-2:12 type"),
  yaml("a list of blocks", "name:\n  - a\n  - b  # last\n\nid: 5\n", "2:3-3:6 type", "5:5 type"),
];

const LINES: readonly PositionCase[] = [
  yaml(
    "only CR and LF end lines",
    'name: "a\u2028b\u0085c"\npace: x\n',
    "1:7-1:14 invisible",
    "2:7-2:8 choice",
  ),
  yaml("CR ends lines", "name: A\rpace: x\rcolors: red\r", "2:7-2:8 choice", "3:1-3:7 unknown-key"),
  yaml("a tab is one column", "pace:\t\tx\t# y\n", "1:8-1:9 choice"),
  yaml(
    "documents and directives",
    "%YAML 1.2\n---\npace: x\n...\n---\n# y\n--- {pace: x}\n",
    "3:7 choice",
    "7:12 choice",
  ),
  yaml(
    "a string instead of a course",
    "just\n  text\n--- more\n",
    "1:1-2:7 not-a-course",
    "3:5-3:9 not-a-course",
  ),
];

/** All of them. */
export const YAML_CASES: readonly PositionCase[] = [
  ...EMPTY,
  ...NUMBERS,
  ...KEYS,
  ...ALIASES,
  ...TEXTS,
  ...BRACKETS,
  ...LINES,
];
