/** Reads the schema.org courses of web pages, and contains their mapping, which `--map schema.org` selects. */
import { Parser } from "htmlparser2";
import { CatalogError } from "../base/errors.ts";
import { isList, isObject, type PlainObject } from "../base/values.ts";
import { choicesAt } from "../course/fields.ts";
import { type Problem, type Span, textProblem } from "../course/problem.ts";
import { oneAt } from "../files/diagnostic.ts";
import { LIMITS } from "../files/limits.ts";
import { parseAs } from "../files/parse.ts";
import type { FoundRows } from "../files/rows.ts";

/** The name of the mapping on the command line. */
export const SCHEMA_ORG = "schema.org";

/** The mapping. In schema.org, a value may be single or in a list, and a name may replace an object. */
export const SCHEMA_ORG_MAPPING = `(
  $nameOf := function($value) { $type($value) = "string" ? $value : ($value.name)[0] };
  $id := $."@id"[$type($) = "string" and $contains($, /^https?:/)];
  $description := $plainText(description[0]);
  $instances := hasCourseInstance;
  $modes := $lowercase($join([$instances.courseMode.$string(), courseMode.$string()], " "));
  $isSelf := $contains($modes, /self[- _]?paced|asynchronous|on[- ]demand/);
  $isLed := $contains($modes, /instructor|\\blive\\b|(^|[^a])synchronous/);
  $paces := ${JSON.stringify(choicesAt(["pace"]))};
  $levels := ${JSON.stringify(Object.fromEntries(choicesAt(["level", 0]).map((level) => [level, level])))};
  $images := image[0];
  $read := $offers($append(offers, $instances.offers));
  $people := $append($instances.instructor, instructor);
  {
    "key": courseCode[0],
    "name": $plainText(name[0]),
    "url": [url[$type($) = "string"], $id.$substringBefore("#")][0],
    "short_description": $replace($description, /^(?=[^]{201})([^]{0,198}\\S)\\s[^]*$/, "$1…"),
    "long_description": $description,
    "audio": $languages($append(inLanguage, $instances.inLanguage).($type($) = "object" ? ($exists(alternateName) ? alternateName : name) : $)),
    "pace": $isSelf != $isLed ? $paces[$contains($, $isSelf ? /^self/ : /^instructor/)],
    "prices": $read.prices,
    "offered_by": [provider[$exists($nameOf($))].{
      "type": $."@type" = "CollegeOrUniversity" ? "university" : "other",
      "name": $nameOf($)
    }],
    "video": $video(video[0].($exists(embedUrl) ? embedUrl : $exists(contentUrl) ? contentUrl : url)),
    "free_content": isAccessibleForFree = true or $lowercase($string(isAccessibleForFree)) = "true" or $read.isFree ? true,
    "level": [educationalLevel.($type($) = "object" ? name : $).$split($string($), /[,;|\\/]/).$choice($, $levels)],
    "instructors": [$people[$exists($nameOf($))].{ "name": $nameOf($) }],
    "what_you_will_learn": [teaches.{ "title": $type($) = "string" ? $plainText($) : $nameOf($) }],
    "syllabus": [syllabusSections.{
      "title": $nameOf($),
      "description": $plainText(description)
    }],
    "image_url": $type($images) = "object" ? ($exists($images.url) ? $images.url : $images.contentUrl) : $images,
    "duration_in_hours": [timeRequired.$hours($), hasCourseInstance.(courseWorkload.$hours($)), hasCourseInstance.(duration.$hours($)), duration.$hours($), hasCourseInstance.courseSchedule[$type(repeatCount) = "number" and $not($exists(byDay))].($hours(duration) * repeatCount)][0]
  }
)`;

/**
 * Reads the courses of a page from its JSON-LD, in which parts may refer to each other by `@id`. The only course of a page
 * without a url has the canonical address.
 *
 * @throws CatalogError of kind `file` for HTML that is nested deeper than any page needs
 */
export async function pageRows(html: string): Promise<FoundRows> {
  const { blocks, address, base } = findJsonLd(html);
  const problems: Problem[] = [];
  const found: { readonly document: unknown; readonly block: Span }[] = [];
  for (const block of blocks) {
    const { start, end } = withoutFrame(html, block);
    const parsed = await parseAs("json", html.slice(start, end));
    for (const { rule, message, span = { start: 0 } } of parsed.problems) {
      problems.push(textProblem(rule, message, oneAt(start + span.start)));
    }
    for (const document of parsed.documents) found.push({ document, block });
  }
  const link = linkParts(found, base, html.length);
  const courses = found.flatMap(({ document, block }) =>
    findCourses(document).map((course) => ({ course, block })),
  );
  if (courses.length + problems.length === 0) {
    const message = 'the file has no schema.org course, which is JSON-LD with "@type": "Course"';
    problems.push(textProblem("not-a-course", message, oneAt(0)));
  }
  const rows = courses.map(({ course, block }, index) => {
    const complete = courses.length === 1 ? { url: address, ...course } : course;
    return { value: link(complete), number: index + 1, span: async () => block };
  });
  return { rows, problems };
}

/** The spans of the JSON-LD of a page, its canonical address, and the URL against which others are resolved. */
function findJsonLd(html: string) {
  const blocks: Span[] = [];
  let [canonical, base]: (string | undefined)[] = [];
  let start: number | undefined;
  let depth = 0;
  const parser = new Parser({
    onopentag: (name, { type = "", rel = "", property, href, content }) => {
      if (++depth > LIMITS.elements) {
        const message = `the HTML has more than ${LIMITS.elements} nested elements, the limit for a page`;
        throw new CatalogError("file", message);
      }
      if (name === "base") base ??= href;
      if (rel.toLowerCase() === "canonical" || property === "og:url") canonical ??= href ?? content;
      if (name === "script" && /^\s*application\/ld\+json/i.test(type)) start = parser.endIndex + 1;
    },
    onclosetag: () => {
      depth--;
      if (start !== undefined) blocks.push({ start, end: Math.max(start, parser.startIndex) });
      start = undefined;
    },
  });
  parser.end(html);
  const address = resolveUrl(canonical, base);
  return { blocks, address, base: resolveUrl(base, address) ?? address };
}

function resolveUrl(url: string | undefined, base: string | undefined): string | undefined {
  const isRelative = url !== undefined && !URL.canParse(url) && URL.canParse(url, base);
  return isRelative ? new URL(url, base).href : url;
}

/** The span of JSON without a comment or CDATA section around it. */
function withoutFrame(html: string, { start, end }: Span): Span {
  const text = html.slice(start, end);
  const [before = ""] = /^\s*(?:\/[/*]\s*)?(?:<!\[CDATA\[|<!--)(?:\s*\*\/)?/.exec(text) ?? [];
  const [after = ""] = /(?:\/[/*]\s*)?(?:\]\]>|-->)(?:\s*\*\/)?\s*$/.exec(text.slice(-100)) ?? [];
  return { start: start + before.length, end: Math.max(start + before.length, end - after.length) };
}

/** Every course in a document, at any depth, but not those inside a course, and no references to courses. */
function findCourses(document: unknown): PlainObject[] {
  if (isList(document)) return document.flatMap(findCourses);
  if (!isObject(document)) return [];
  const types = [document["@type"]].flat();
  const isCourse = types.some((type) => /(^|[/:#])Course$/.test(String(type)));
  if (isCourse) return isReference(document) ? [] : [document];
  return Object.values(document).flatMap(findCourses);
}

/** Whether an object only names another part: `{"@id": "#offer"}`. */
function isReference(value: PlainObject): boolean {
  const names = Object.keys(value).filter((name) => name !== "@type");
  return names.length === 1 && typeof value["@id"] === "string";
}

const URL_KEY = /^(?:url|image|contentUrl|embedUrl)$/;

/**
 * Returns a function that replaces the references in a course by the parts that they name, and relative URLs.
 *
 * @param size how many characters of parts may be repeated, times ten
 */
function linkParts(
  found: readonly { readonly document: unknown }[],
  base: string | undefined,
  size: number,
) {
  const parts = new Map<unknown, PlainObject>();
  const collect = (value: unknown): void => {
    if (isList(value)) for (const each of value) collect(each);
    if (!isObject(value)) return;
    const id = value["@id"];
    if (id !== undefined && !isReference(value)) parts.set(id, { ...parts.get(id), ...value });
    for (const each of Object.values(value)) collect(each);
  };
  for (const { document } of found) collect(document);
  let left = size * 10;
  const link = (value: unknown, key: string, inside: readonly unknown[]): unknown => {
    if (typeof value === "string" && URL_KEY.test(key)) return resolveUrl(value, base);
    if (isList(value)) return value.map((each) => link(each, key, inside));
    if (!isObject(value)) return value;
    const id = value["@id"];
    const part = left > 0 && isReference(value) && !inside.includes(id) ? parts.get(id) : undefined;
    const isLinked = part !== undefined && inside.length < 10;
    if (isLinked) left -= JSON.stringify(part).length;
    const within = isLinked ? [...inside, id] : inside;
    const entries = Object.entries(isLinked ? part : value);
    return Object.fromEntries(entries.map(([name, each]) => [name, link(each, name, within)]));
  };
  return (course: PlainObject): unknown => link(course, "", [course["@id"]]);
}
