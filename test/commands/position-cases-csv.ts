/** CSV files that break each rule, and the cell or the column of the problem. */
import { PROVIDER_ID } from "../rig.ts";
import { bytes, type PositionCase } from "./position-case.ts";

/** A CSV file and its expected problems. */
function csv(says: string, text: string | Uint8Array, ...finds: readonly string[]): PositionCase {
  return { title: `CSV: ${says}`, file: "courses.csv", text, finds };
}

/** A structured value as a cell. */
function cell(value: unknown): string {
  return `"${JSON.stringify(value).replaceAll('"', '""')}"`;
}

const PAGE = "https://academy.example/a";

const TEXTS: readonly PositionCase[] = [
  csv("a row with too many cells", "name,pace\nA,self_paced,x,y\n", "2:14-2:15 syntax"),
  csv("a quote that is never closed", 'name,pace\n"A\nB",self_paced\nC,"x\n\n', "4:3-4:4 syntax"),
  csv("text after a quote", 'name,pace\nA,"b"c\n', "2:3-2:4 syntax"),
  csv("no column of a course", "fullname,category\na,b\n", "1:1-1:9 not-a-course"),
  csv("typographic quotes in a cell with JSON", "name,video\nA,{“id”:1}\n", "2:3-2:11 type"),
  csv("a second encoding", bytes("name,pace\ncafé,slow\nna<ef>ve,slow\n"), "3:3-3:4 encoding"),
  csv(
    "a column twice",
    "name,pace,name\nA,slow,B\n",
    "1:11-1:15 duplicate-field",
    "2:3-2:7 choice",
  ),
  csv("a column inside another", "name,prices,prices[0].type\nA,,\n", "1:13-1:27 duplicate-field"),
  csv(
    "a key twice in the JSON of a cell",
    'name,certificate\nA,"{""type"":""free"",""type"":""paid""}"\n',
    "2:3-2:42 type",
  ),
  csv(
    "a url twice, after line breaks in a cell",
    `name,url\n"A\n\nB",${PAGE}\nC,${PAGE}\n`,
    "5:3-5:28 duplicate-url",
  ),
];

const FIELDS: readonly PositionCase[] = [
  csv("another word, after wide characters", 'name,pace\n"編み物 🧶",slow\n', "2:10-2:14 choice"),
  csv(
    "a column of the service",
    "name,approval_status\nA,pending\nB,pending\n",
    "1:6-1:21 read-only",
  ),
  csv("a language of a list", 'name,audio\nA,"en, pt_BR"\n', "2:3-2:14 language-code"),
  csv("a number below its minimum", "name;duration_in_hours\r\nA;-1\r\n", "2:3-2:5 number-range"),
];

const SUBSCRIPTION_ONLY = { type: "single_course", price: "1", currency: "EUR", total_price: "2" };

const OBJECTS: readonly PositionCase[] = [
  csv(
    "a column of another type of price",
    "name,prices[0].type,prices[0].price,prices[0].currency,prices[0].total_price\nA,single_course,1,EUR,2\n",
    "1:56-1:77 price-subscription",
  ),
  csv(
    "a key of another type of price, in the JSON of a cell",
    `name,prices\nA,${cell([SUBSCRIPTION_ONLY])}\n`,
    "2:3-2:94 price-subscription",
  ),
  csv(
    "the provider named twice",
    `name,provider,provider_id\nA,academy,${PROVIDER_ID}\n`,
    "1:6-1:14 provider-twice",
  ),
];

export const CSV_CASES: readonly PositionCase[] = [...TEXTS, ...FIELDS, ...OBJECTS];
