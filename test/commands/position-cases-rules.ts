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
  json("a text read as Latin-1", '{"name": "\\u00e2\\u0080\\u009cA"}', "1:10-1:31 mojibake"),
  yaml("a key twice", "name: A\nslug: 5\nname: B\n", "2:7-2:8 type", "3:1-3:5 duplicate-key"),
  yaml(
    "a nested key twice",
    "certificate:\n  type: free\n  type: paid\nprices: [{type: a, type: b}]\n",
    "3:3-3:7 duplicate-key",
    "4:20-4:24 duplicate-key",
    "4:26-4:27 choice",
  ),
  yaml(
    "a key three times, written in three ways",
    'name: A\n"name": B\n"na\\u006de": C\n',
    "2:1-2:7 duplicate-key",
    "3:1-3:12 duplicate-key",
  ),
  json(
    "a key twice",
    '{"name": "A", "slug": 5, "name": "B"}',
    "1:23-1:24 type",
    "1:26-1:32 duplicate-key",
  ),
  json(
    "a key twice, once with an escape",
    '{"name": "A", "na\\u006de": "B"}',
    "1:15-1:26 duplicate-key",
  ),
  json(
    "a key twice in one of two courses",
    '[{"slug": "a"}, {"slug": "b", "slug": "c"}]',
    "1:31-1:37 duplicate-key",
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
  yaml("a provider that is a number", "provider: 5\n", "1:11-1:12 type"),
  json("a provider that is blank", '{"provider": " "}', "1:14-1:17 blank"),
];

const COURSES: readonly PositionCase[] = [
  yaml(
    "strings and numbers instead of courses",
    "- a\n- 5\n- [b]\n",
    "1:3-1:4 not-a-course",
    "2:3-2:4 not-a-course",
    "3:3-3:6 not-a-course",
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
  yaml(
    "a whole number that is too large to be exact",
    "duration_in_hours: 90071992547409931\n",
    "1:20-1:37 inexact-number",
  ),
];

export const RULE_CASES: readonly PositionCase[] = [
  ...REPEATED_KEYS,
  ...REPEATED_COURSES,
  ...PROVIDERS,
  ...COURSES,
  ...VALUES,
];
