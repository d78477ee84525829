/** Positions in constructs of YAML: values, keys, aliases, block scalars. */
import { type PositionCase, yaml } from "./position-case.ts";

/** What is not written has the place of its key, or of its dash. */
const EMPTY: readonly PositionCase[] = [
  yaml("nothing for a value", "pace: x\nname:\n", "1:7-1:8 choice", "2:1-2:5 required"),
  yaml("nothing for an element", "audio:\n  -\n  - en\n", "2:3-2:4 type"),
  yaml("nothing for a course", "- name: 5\n-\n", "1:9-1:10 type", "2:1-2:2 not-a-course"),
  yaml("a key alone in brackets", "{name, id: 5}\n", "1:2-1:6 required", "1:12-1:13 type"),
  yaml("an anchor and no value", "name: &a\nid: 5\n", "1:1-1:5 required", "2:5-2:6 type"),
  yaml("null in words", "name: null\naudio: ~\n", "1:7-1:11 required", "2:8-2:9 required"),
  yaml("no key", "name: 5\n: x\n", "1:7 type", "2:1-2:2 unknown-field"),
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
  yaml("a tagged number", "name: !!str 5\nslug: !!int 5\n", "2:13-2:14 type"),
];

const KEYS: readonly PositionCase[] = [
  yaml(
    "keys in quotes and with escapes",
    '"colors": a\n\'na\\u006de\': b\n"\\x63olor": c\n',
    "1:1-1:9 unknown-field",
    "2:1-2:12 unknown-field",
    "3:1-3:11 unknown-field",
  ),
  yaml(
    "explicit keys",
    "? colors\n: red\n? pace\n: slow\n? prices\n:\n  - ? type\n    : rent\n",
    "1:3-1:9 unknown-field",
    "4:3-4:7 choice",
    "8:7-8:11 choice",
  ),
  yaml("an alias for a key", "slug: &k name\n*k : 5\n", "1:1-2:7 type"),
  yaml("__proto__", "__proto__: {a: 1}\n", "1:1-1:10 unknown-field"),
  yaml(
    "merge keys",
    "prices:\n  - &p\n    type: single_course\n  - <<: *p\n    type: x\n<<: {type: x}\n",
    "4:5-4:7 unknown-field",
    "5:11-5:12 choice",
    "6:1-6:3 unknown-field",
  ),
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
    "parts of an alias's value, at the alias",
    "level: &l\n  - expert\naudio: *l\n",
    "2:5-2:11 choice",
    "3:8-3:10 language-code",
  ),
  yaml(
    "a key missing from an alias's value",
    "certificate: &c\n  price: '1'\n  currency: EUR\nprices: [*c]\n",
    "2:3-3:16 required",
    "4:10-4:12 incomplete",
  ),
  yaml(
    "a course that is an alias",
    "- &a\n  pace: x\n- *a\n- [*a]\n",
    "2:9-2:10 choice",
    "3:3-3:5 choice",
    "4:3-4:7 not-a-course",
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
  yaml(
    "a literal block",
    "pace: |\n  slow\n  and steady\n\n# end\nid: 5\n",
    "1:7-3:13 choice",
    "6:5 type",
  ),
  yaml("a block with its own indentation", "pace: |2-\n   slow\n", "1:7-2:8 choice"),
  yaml("a block with CRLF", "pace: |\r\n  slow\r\n\r\nid: 5\r\n", "1:7-2:7 choice", "4:5 type"),
];

const BRACKETS: readonly PositionCase[] = [
  yaml("a list over several lines", "name: [\n  a,   # first\n  b\n ]  # end\n", "1:7-4:3 type"),
  yaml(
    "a list that ends with a nested one",
    "name: [[a], [b]]\nid: {a: {b: []}}\n",
    "1:7-1:17 type",
    "2:5-2:17 type",
  ),
  yaml("brackets within quotes", 'name: ["]", \'}\', "\\"]"]\n', "1:7-1:24 type"),
  yaml("a list of blocks", "name:\n  - a\n  - b  # last\n\nid: 5\n", "2:3-3:6 type", "5:5 type"),
];

const LINES: readonly PositionCase[] = [
  yaml(
    "only CR and LF end lines",
    'name: "a\u2028b\u0085c"\npace: x\n',
    "1:7-1:14 invisible",
    "2:7-2:8 choice",
  ),
  yaml(
    "CR ends lines",
    "name: A\rpace: x\rcolors: red\r",
    "2:7-2:8 choice",
    "3:1-3:7 unknown-field",
  ),
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

export const YAML_CASES: readonly PositionCase[] = [
  ...EMPTY,
  ...NUMBERS,
  ...KEYS,
  ...ALIASES,
  ...TEXTS,
  ...BRACKETS,
  ...LINES,
];
