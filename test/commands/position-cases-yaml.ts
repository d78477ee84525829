/** Positions in YAML of what is not written, and of what is written elsewhere. */
import { NO_CHOICE } from "../cases.ts";
import { json, type PositionCase, yaml } from "./position-case.ts";

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

const KEYS: readonly PositionCase[] = [
  yaml("an alias for a key", "slug: &k name\n*k : 5\n", "1:1-2:7 type"),
  yaml("__proto__", "__proto__: {a: 1}\n", "1:1-1:10 unknown-field"),
  json("__proto__", '{"__proto__": {"a": 1}}', "1:2-1:13 unknown-field"),
  json("constructor", '{"constructor": 2}', "1:2-1:15 unknown-field"),
  yaml("a merge key", "<<: {type: x}\n", "1:1-1:3 unknown-field"),
];

const ALIASES: readonly PositionCase[] = [
  yaml(
    "an alias of an invalid value",
    "slug: &a 5\naudio: [*a, en]\n",
    "1:10-1:11 type",
    "2:9-2:11 type",
  ),
  yaml(
    "parts of an alias's value, at the alias",
    `level: &l\n  - ${NO_CHOICE}\naudio: *l\n`,
    "2:5 choice",
    "3:8-3:10 language-code",
  ),
  yaml(
    "a key missing from an alias's value",
    "certificate: &c\n  price: '1'\n  currency: EUR\nprices: [*c]\n",
    "2:3-3:16 required",
    "4:10-4:12 incomplete",
  ),
  yaml("a course that is an alias", "- &a\n  pace: x\n- *a\n", "2:9 choice", "3:3 choice"),
];

/** Values whose end or line the package `yaml` counts in another way: see test/files/yaml.test.ts. */
const ENDS: readonly PositionCase[] = [
  yaml("a block with its own indentation", "pace: |2-\n   slow\n", "1:7-2:8 choice"),
  yaml("a list of blocks", "name:\n  - a\n  - b  # last\n\nid: 5\n", "2:3-3:6 type", "5:5 type"),
  yaml("lines that CR ends", "name: A\rpace: x\rcolors: red\r", "2:7 choice", "3:1 unknown-field"),
];

export const YAML_CASES: readonly PositionCase[] = [...EMPTY, ...KEYS, ...ALIASES, ...ENDS];
