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

const ID = "0b6ec7b5-6c8b-4a5e-9f1d-2f4c9b1e7a10";
const PAGE = "https://academy.example/a";

const LISTS = Array.from({ length: 100 }, (_, index) => `x-a[999].b${index}[999]`);
const SKIPPING = `name,${LISTS}\n${`A${",1".repeat(LISTS.length)}\n`.repeat(12)}`;

const TEXTS: readonly PositionCase[] = [
  csv("a row with too many cells", "name,pace\nA,self_paced,x,y\n", "2:14-2:15 syntax"),
  csv("a quote that is never closed", 'name,pace\n"A\nB",self_paced\nC,"x\n\n', "4:3-4:4 syntax"),
  csv("a cell that is not JSON", "name,prices\nA,[{]\n", "2:3-2:6 syntax"),
  csv("typographic quotes in a cell with JSON", "name,video\nA,{“id”:1}\n", "2:3-2:11 syntax"),
  csv("a second encoding", bytes("name,pace\ncafé,slow\nna<ef>ve,slow\n"), "3:3-3:4 encoding"),
  csv(
    "JSON that is too deep",
    `name,prices\nA,${"[".repeat(101)}${"]".repeat(101)}\n`,
    "2:3-2:205 too-deep",
  ),
  csv("columns that skip millions of list items", SKIPPING, "1:1-1:5 too-large"),
  csv("columns of another system", "fullname,category\nA,B\n", "1:1-1:9 not-a-course"),
  csv("a column twice", "name,pace,name\nA,slow,B\n", "1:11-1:15 duplicate-key", "2:3-2:7 choice"),
  csv("a column inside another", "name,prices,prices[0].type\nA,,\n", "1:13-1:27 duplicate-key"),
  csv(
    "a key twice in the JSON of a cell",
    'name,certificate\nA,"{""type"":""free"",""type"":""paid""}"\n',
    "2:3-2:42 duplicate-key",
  ),
  csv("a key of two courses", "key,name\nA,B\nA,C\n", "3:1-3:2 duplicate-key"),
  csv("an id twice", `name,id\nA,${ID}\nB,${ID}\n`, "3:3-3:39 duplicate-id"),
  csv(
    "a url twice, after line breaks in a cell",
    `name,url\n"A\n\nB",${PAGE}\nC,${PAGE}\n`,
    "2:1-4:3 spaces",
    "5:3-5:28 duplicate-url",
  ),
];

const FIELDS: readonly PositionCase[] = [
  csv("null in a required field", "pace,name\nself_paced,null\n", "2:12-2:16 required"),
  csv("a name of spaces", "pace,name\nself_paced,  \n", "2:12-2:14 blank"),
  csv(
    "a value of the starter file",
    `name,url\nA,https://a.example/replace-this-path\n`,
    "2:3-2:38 placeholder",
  ),
  csv(
    "half of a character",
    String.raw`name,instructors${"\n"}A,"[{""name"": ""\ud83d""}]"`,
    "2:3-2:29 lone-surrogate",
  ),
  csv(
    "a number that is too large to be exact",
    "name,duration_in_hours\nA,90071992547409931\n",
    "2:3-2:20 inexact-number",
  ),
  csv("a text read as Windows-1252", "name,pace\nfÃ¼r,self_paced\n", "2:1-2:5 mojibake"),
  csv("spaces before a name", "pace,name\nself_paced,  A\n", "2:12-2:15 spaces"),
  csv("a soft hyphen", "name,pace\nKnit\u00adting,self_paced\n", "2:1-2:10 invisible"),
  csv(
    "two descriptions that are the same",
    "name,short_description,long_description\nA,b,b\n",
    "2:3-2:4 same-descriptions",
  ),
  csv("a text instead of a number", "name,number_of_lessons\nA,six\n", "2:3-2:6 type"),
  csv("another word, after wide characters", 'name,pace\n"編み物 🧶",slow\n', "2:10-2:14 choice"),
  csv("a column that is no field", "name,levle\nA,\nB,x\nC,y\n", "1:6-1:11 unknown-key"),
  csv(
    "a column that is no key of its field",
    "name,prices[0].prize\nA,1\n",
    "1:6-1:21 unknown-key",
  ),
  csv(
    "a column of the service",
    "name,approval_status\nA,pending\nB,pending\n",
    "1:6-1:21 read-only",
  ),
  csv("an id that is not a UUID", "name,id\nA,12\n", "2:3-2:5 uuid"),
  csv("a url without a scheme", "name,url\nA,academy.example/a\n", "2:3-2:20 url"),
  csv("a language of a list", 'name,audio\nA,"en, pt_BR"\n', "2:3-2:14 language-code"),
  csv("a number below its minimum", "name;duration_in_hours\r\nA;-1\r\n", "2:3-2:5 number-range"),
  csv(
    "a fraction instead of a whole number",
    "name,number_of_lessons\nA,1.5\n",
    "2:3-2:6 whole-number",
  ),
];

const SUBSCRIPTION_ONLY = { type: "single_course", price: "1", currency: "EUR", total_price: "2" };

const OBJECTS: readonly PositionCase[] = [
  csv(
    "a currency and an amount in columns",
    "name,prices[0].type,prices[0].price,prices[0].currency\nA,single_course,1 €,Euro\n",
    "2:17-2:20 amount",
    "2:21-2:25 currency-code",
  ),
  csv(
    "an amount with more decimals than its currency",
    "name,prices[0].type,prices[0].price,prices[0].currency\nA,single_course,1.005,EUR\n",
    "2:17-2:22 amount-decimals",
  ),
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
    "a price of a free certificate",
    "name,certificate.type,certificate.price\nA,free,1\n",
    "1:23-1:40 certificate-price",
  ),
  csv(
    "an id of a video without its type of source",
    "name,video.type,video.id\nA,self_hosted,b\n",
    "1:17-1:25 video-source",
  ),
  csv(
    "a scale upside down",
    "name,provider_rating.type,provider_rating.min,provider_rating.max\nA,scale,5,1\n",
    "2:9-2:10 rating-scale",
  ),
  csv(
    "a rating outside of its range",
    "name,provider_rating.type,provider_rating.value\nA,positive_ratio,101\n",
    "2:18-2:21 rating-value",
  ),
  csv(
    "the provider named twice",
    `name,provider,provider_id\nA,academy,${PROVIDER_ID}\n`,
    "1:6-1:14 provider-twice",
  ),
];

/** All of them. */
export const CSV_CASES: readonly PositionCase[] = [...TEXTS, ...FIELDS, ...OBJECTS];
