/** Texts that break the rules about several keys, courses or files, and where. */
import { json, type PositionCase, yaml } from "./position-case.ts";

const ID = "0b6ec7b5-6c8b-4a5e-9f1d-2f4c9b1e7a10";
const URL = "https://academy.example/a";

const REPEATED_KEYS: readonly PositionCase[] = [
  yaml(
    "a text read as Windows-1252",
    "name: A\ninstructors:\n- name: Ren\u00c3\u00a9\n",
    "3:9-3:14 mojibake",
  ),
  json(
    "an amount with more decimals than its currency",
    '{"certificate": {"type": "paid", "price": "1.005", "currency": "EUR"}}',
    "1:43-1:50 amount-decimals",
  ),
  yaml("a key twice", "name: A\nslug: 5\nname: B\n", "2:7-2:8 type", "3:1-3:5 duplicate-field"),
  yaml(
    "a nested key twice",
    "certificate:\n  type: free\n  type: paid\nprices: [{type: a, type: b}]\n",
    "3:3-3:7 duplicate-field",
    "4:20-4:24 duplicate-field",
    "4:26-4:27 choice",
  ),
  json(
    "a key twice, once with an escape",
    '{"name": "A", "na\\u006de": "B"}',
    "1:15-1:26 duplicate-field",
  ),
  json(
    "a key twice in one of two courses",
    '[{"slug": "a"}, {"slug": "b", "slug": "c"}]',
    "1:31-1:37 duplicate-field",
  ),
];

const REPEATED_COURSES: readonly PositionCase[] = [
  yaml(
    "an id and a url twice",
    `- id: ${ID}\n  url: ${URL}\n- url: ${URL}\n- id: "${ID.toUpperCase()}"\n`,
    "3:8-3:33 duplicate-url",
    "4:7-4:45 duplicate-id",
  ),
];

const PROVIDERS: readonly PositionCase[] = [
  yaml(
    "the provider named twice",
    "name: A\nprovider: academy\nprovider_id: 6f0f8a34-4f3b-4c58-9d7e-0d0c3c1f5b21\n",
    "2:1-2:9 provider-twice",
  ),
];

const COURSES: readonly PositionCase[] = [
  yaml(
    "a string and a list instead of courses",
    "- a\n- [b]\n",
    "1:3-1:4 not-a-course",
    "2:3-2:6 not-a-course",
  ),
];

const VALUES: readonly PositionCase[] = [
  yaml(
    "a name and a url of the starter file",
    "name: Replace this with the name of the course\nurl: https://a.example/replace-this-path\n",
    "1:7-1:47 placeholder",
    "2:6-2:41 placeholder",
  ),
  json("half of a character", '{"name": "\\ud83d", "x-\\udc00": 1}', "1:10-1:18 lone-surrogate"),
  json(
    "a whole number of JSON that is too large to be exact",
    '{"duration_in_hours": 100000000000000000001}',
    "1:23-1:44 inexact-number",
  ),
];

const LEFTOVERS: readonly PositionCase[] = [
  yaml("U+FFFD", "name: Caf\ufffd\n", "1:7-1:11 replacement-character"),
  yaml("an error of a spreadsheet", 'name: "#REF!"\n', "1:7-1:14 spreadsheet-error"),
  yaml("HTML", "syllabus:\n- title: <b>A</b>\n", "2:10-2:18 markup"),
  yaml("a text before a comment", "name: C # for beginners\n", "1:7-1:8 cut-text"),
  yaml(
    "a paragraph before a comment, and comments after other values",
    "pace: self_paced # a\nname: 'B' # b\nlong_description: | # c\n  D\nsyllabus:\n- title: E\n  description: # f\n  - F # g\n",
    "8:5-8:6 cut-text",
  ),
  yaml("a key as a number", 'key: "4.00639E+12"\n', "1:6-1:19 rounded-key"),
  yaml("a password", "url: https://a:b@a.example/\n", "1:6-1:28 url-credentials"),
  yaml("an entity in a url", "url: https://a.example/?b&amp;c\n", "1:6-1:32 url-entity"),
  json(
    "a key twice in a list",
    `[{"key": "K", "url": "${URL}"},\n {"key": "K", "url": "${URL}/b"}]`,
    "2:10-2:13 duplicate-key",
  ),
];

export const RULE_CASES: readonly PositionCase[] = [
  ...LEFTOVERS,
  ...REPEATED_KEYS,
  ...REPEATED_COURSES,
  ...PROVIDERS,
  ...COURSES,
  ...VALUES,
];
