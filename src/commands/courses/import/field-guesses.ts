/** What other systems call the fields of a course, and how their values are written in JSONata. */
import { isList, isObject } from "../../../base/values.ts";
import { hoursOf, isVideoLink } from "./helpers.ts";
import { languageCodes } from "./names.ts";
import { looksLikeHtml } from "./plain-text.ts";
import { type SourceColumn, textsOf } from "./source-columns.ts";

/** How a field is found among the columns. */
export interface Guess {
  readonly field: string;
  /** Names of columns without case and punctuation, the best first. */
  readonly names: readonly string[];
  /** The expression for a column; undefined if its values do not fit. */
  readonly write: (column: SourceColumn, columns: readonly SourceColumn[]) => string | undefined;
  /** Whether the values of a column with another name are those of the field. */
  readonly fits?: (column: SourceColumn) => boolean;
  /** Whether a column that another field uses may be used again. */
  readonly isShared?: true;
  /** What to write if there is no column. */
  readonly missing?: { readonly value: string; readonly note: string };
}

const words = (text: string): readonly string[] => text.split(" ");

const LANGUAGE_NAMES = words(
  "audio language languages lang courselanguage contentlanguage inlanguage locale",
);

/** Every field for which columns are searched, in the order of a course file. */
export const FIELD_GUESSES: readonly Guess[] = [
  {
    field: "key",
    names: words(
      "key sku idnumber courseid coursekey externalid uuid id shortname code coursecode slug",
    ),
    write: stringOf,
  },
  {
    field: "name",
    names: words("name title fullname titlerendered coursename coursetitle posttitle displayname"),
    write: plain,
    missing: { value: '""', note: "required: no column found" },
  },
  {
    field: "url",
    names: words(
      "url link courseurl permalink weburl marketingurl courseabout abouturl homepage guid href address",
    ),
    write: url,
    fits: (column) =>
      every(column, /^https?:\/\/(?!.*\/api\/)(?!.*\.(?:png|jpe?g|gif|webp|svg|mp4)$)/i) &&
      !hasVideos(column),
    missing: {
      value: '""',
      note: 'required: no column found; for example, "https://academy.example/courses/" & id',
    },
  },
  {
    field: "short_description",
    names: words(
      "shortdescription subtitle excerptrendered excerpt teaser tagline headline summary description",
    ),
    write: (column) => {
      const text = plain(column);
      const isLong = textsOf(column).some((value) => value.length > 300);
      return isLong ? `$substring(${text}, 0, 200)` : text;
    },
    fits: hasLongTexts,
    missing: { value: '""', note: "required: no column found" },
  },
  {
    field: "long_description",
    names: words(
      "longdescription fulldescription contentrendered description content overview summary body postcontent about shortdescription",
    ),
    write: plain,
    isShared: true,
    fits: hasLongTexts,
    missing: { value: '""', note: "required: no column found" },
  },
  {
    field: "audio",
    names: LANGUAGE_NAMES,
    write: languages,
    fits: (column) => !every(column, /^\d/) && every(column, /^.{2,30}$/) && allLanguages(column),
    missing: { value: '["en"]', note: "required: no column found; the languages spoken" },
  },
  {
    field: "provider",
    names: words("provider providerslug"),
    write: plain,
    missing: {
      value: '""',
      note: "required: your provider's slug, or write it into catalog.defaults.yaml",
    },
  },
  {
    field: "pace",
    names: words(
      "pace pacing coursepacing pacingtype selfpaced isselfpaced coursemode mode delivery format",
    ),
    write: pace,
    missing: { value: '"self_paced"', note: "required: no column found; or instructor_paced" },
  },
  {
    field: "published",
    names: words("published ispublished visible poststatus status active enabled hidden"),
    write: published,
  },
  {
    field: "prices",
    names: words(
      "price cost regularprice coursefee fee amount priceamount courseprice pricetypepaynowprice pricetypebuynowprice",
    ),
    fits: (column) => every(column, /^(?:[€£$₴¥]\s?\d[\d.,]*|\d[\d.,]*\s?[€£₴])$/),
    write: prices,
  },
  {
    field: "offered_by",
    names: words("organization organisation org institution university school partner"),
    write: (column) =>
      isText(column)
        ? `[{ "type": "other", "name": ${column.expression}, "main": true }]`
        : undefined,
  },
  {
    field: "video",
    names: words(
      "video videourl introvideo coursevideo coursevideouri trailer promovideo mediacoursevideouri previewvideo",
    ),
    fits: hasVideos,
    write: (column) => (hasUrls(column) ? `$video(${column.expression})` : undefined),
  },
  {
    field: "level",
    names: words("level difficulty difficultylevel skilllevel courselevel levels"),
    fits: (column) => every(column, /beginner|intermediate|advanced/i),
    write: level,
  },
  {
    field: "instructors",
    names: words("instructors instructor teachers teacher trainer author authors staff"),
    write: people,
  },
  {
    field: "what_you_will_learn",
    names: words("whatyouwilllearn learningoutcomes outcomes objectives learningobjectives"),
    write: (column) => topics(column),
  },
  {
    field: "subtitles_text",
    names: words(
      "subtitlestext subtitles subtitlelanguages captions transcripts transcriptlanguages",
    ),
    write: languages,
  },
  {
    field: "image_url",
    names: words(
      "imageurl image courseimage courseimageurl thumbnail thumbnailurl featuredimage featuredimageurl featuredmediaurl cover mediacourseimageuri mediaimageraw raw",
    ),
    write: url,
  },
  {
    field: "number_of_lessons",
    names: words(
      "numberoflessons lessons lessonscount lessoncount numlessons numsections totallessons",
    ),
    write: (column) => (every(column, /^\d+$/) ? `$number(${column.expression})` : undefined),
  },
  {
    field: "duration_in_hours",
    names: words(
      "durationinhours duration hours courselength totalduration estimatedtime estimatedhours length timerequired effort",
    ),
    write: (column) =>
      textsOf(column).some((text) => hoursOf(text) !== undefined)
        ? `$hours(${column.expression})`
        : undefined,
  },
];

function isText({ values }: SourceColumn): boolean {
  return values.every((value) => typeof value === "string");
}

function every(column: SourceColumn, pattern: RegExp): boolean {
  const texts = textsOf(column);
  return texts.length > 0 && texts.every((text) => pattern.test(text.trim()));
}

function plain(column: SourceColumn): string {
  return textsOf(column).some(looksLikeHtml)
    ? `$plainText(${column.expression})`
    : column.expression;
}

/** A text is long if it is more than a name: with tags, or of many words. */
function hasLongTexts(column: SourceColumn): boolean {
  const texts = textsOf(column);
  return (
    isText(column) && texts.some((text) => looksLikeHtml(text) || text.split(/\s+/).length > 20)
  );
}

function hasVideos(column: SourceColumn): boolean {
  return textsOf(column).some(isVideoLink);
}

function allLanguages(column: SourceColumn): boolean {
  const codes = textsOf(column).flatMap((text) => languageCodes(text) ?? []);
  return codes.length > 0 && codes.every((code) => /^[a-z]{2}(?:-[A-Z]{2})?$/.test(code));
}

function hasUrls(column: SourceColumn): boolean {
  return textsOf(column).some((text) => /^https?:\/\//i.test(text));
}

function url(column: SourceColumn): string | undefined {
  return hasUrls(column) && !column.values.some(isList) ? column.expression : undefined;
}

function languages(column: SourceColumn): string | undefined {
  const codes = textsOf(column).flatMap((text) => languageCodes(text) ?? []);
  const isKnown = codes.some((code) => /^[a-z]{2}(?:-[A-Z]{2})?$/.test(code));
  return isKnown ? `$languages(${column.expression})` : undefined;
}

/** The values of a table are strings already. */
function stringOf({ isTable, expression }: SourceColumn): string {
  return isTable ? expression : `$string(${expression})`;
}

function pace(column: SourceColumn): string | undefined {
  const { expression, values, names } = column;
  if (names[1].includes("selfpaced")) {
    return `$lowercase(${stringOf(column)}) in ["true", "1", "yes"] ? "self_paced" : "instructor_paced"`;
  }
  const isPace = values.some((value) => /self|instructor|cohort|live/i.test(String(value)));
  return isPace
    ? `$contains($lowercase(${expression}), "self") ? "self_paced" : "instructor_paced"`
    : undefined;
}

function published(column: SourceColumn): string | undefined {
  const { expression, values, names } = column;
  const texts = new Set(values.map((value) => String(value).toLowerCase()));
  const operator = names[1] === "hidden" ? "!=" : "=";
  const yes = ["publish", "published", "active", "visible", "true", "1", "yes"].find((text) =>
    texts.has(text),
  );
  const no = ["draft", "hidden", "false", "0", "no"].some((text) => texts.has(text));
  if (yes === undefined && !no) return undefined;
  if (values.every((value) => typeof value === "boolean")) {
    return operator === "=" ? expression : `$not(${expression})`;
  }
  const value = yes ?? "1";
  const text = /\d/.test(value) ? stringOf(column) : `$lowercase(${stringOf(column)})`;
  return `${text} ${operator} "${value}"`;
}

function prices(column: SourceColumn, columns: readonly SourceColumn[]): string | undefined {
  const texts = textsOf(column);
  if (!texts.some((text) => /\d/.test(text))) return undefined;
  const currency = columns.find(({ names }) => /^(?:price)?currency(?:code)?$/.test(names[1]));
  const symbols = { "€": "EUR", "£": "GBP", $: "USD", "₴": "UAH", "¥": "JPY" };
  const symbol = Object.entries(symbols).find(([each]) =>
    texts.some((text) => text.includes(each)),
  );
  const code = currency === undefined ? `"${symbol?.[1] ?? "EUR"}"` : `$$.${currency.expression}`;
  const isPlain = every(column, /^\d+(?:\.\d+)?$/);
  const text = stringOf(column);
  // A separator before three digits groups thousands; any other is the decimal point.
  const grouped = `$replace($replace(${text}, /[^\\d.,]/, ""), /[.,](?=\\d{3}(?!\\d))/, "")`;
  const amount = isPlain ? text : `$replace(${grouped}, ",", ".")`;
  return `[${amount}[$ != "" and $number($) > 0].{ "type": "single_course", "price": $, "currency": ${code} }]`;
}

const LEVELS = '["beginner", "intermediate", "advanced"]';

function level(column: SourceColumn): string | undefined {
  const { expression, values } = column;
  const isOne = isText(column) && every(column, /^(?:beginner|intermediate|advanced)$/i);
  if (isOne) return `$lowercase(${expression})`;
  const known = values.some((value) =>
    /beginner|intermediate|advanced/i.test(JSON.stringify(value)),
  );
  return known ? `${LEVELS}[$contains($lowercase($string($$.${expression})), $)]` : undefined;
}

function people({ expression, values }: SourceColumn): string | undefined {
  const items = values.flatMap((value) => (isList(value) ? value : [value]));
  if (items.every((item) => isObject(item) && typeof item.name === "string")) {
    return `[${expression}.{ "name": name }]`;
  }
  if (!items.every((item) => typeof item === "string")) return undefined;
  return values.some(isList)
    ? `[${expression}.{ "name": $ }]`
    : `[$split(${expression}, /\\s*[,;|]\\s*/).{ "name": $ }]`;
}

function topics(column: SourceColumn): string | undefined {
  const { expression, values } = column;
  if (!values.every((value) => typeof value === "string" || isList(value))) return undefined;
  return values.some(isList)
    ? `[${expression}.{ "title": $ }]`
    : `[$split(${plain(column)}, /\\s*[\\n;|]\\s*/)[$ != ""].{ "title": $ }]`;
}
