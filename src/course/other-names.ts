/** The names by which other systems, and newcomers, call the keys of a course file. */
import type { Owner } from "./shape.ts";

/** A name that is usual for more than one key, or for another meaning, is only likely. */
interface OtherName {
  readonly names: readonly string[];
  readonly isCertain: boolean;
}

const certain = (...names: string[]): OtherName => ({ names, isCertain: true });
const likely = (...names: string[]): OtherName => ({ names, isCertain: false });

/** The keys by their other names, by the object that has them. */
const OTHER_NAMES: Readonly<Partial<Record<Owner, Readonly<Record<string, OtherName>>>>> = {
  "a course": {
    ...fromEach(certain("name"), "title", "course_name", "course_title"),
    ...fromEach(
      certain("url"),
      "link",
      "href",
      "permalink",
      "course_url",
      "course_link",
      "website",
    ),
    ...fromEach(certain("audio"), "language", "languages", "lang", "locale", "spoken_languages"),
    ...fromEach(certain("short_description"), "summary", "excerpt", "teaser", "subtitle"),
    ...fromEach(certain("long_description"), "full_description", "description_long"),
    ...fromEach(likely("long_description"), "content", "body"),
    description: likely("long_description", "short_description"),
    ...fromEach(certain("instructors"), "instructor", "teacher", "teachers", "lecturers", "author"),
    ...fromEach(certain("prices"), "price", "pricing"),
    ...fromEach(certain("image_url"), "image", "thumbnail", "cover", "picture"),
    ...fromEach(certain("subtitles_text"), "subtitles", "captions"),
    ...fromEach(certain("provider_rating"), "rating"),
    ...fromEach(certain("number_of_lessons"), "lessons", "lesson_count", "lessons_count"),
    ...fromEach(likely("duration_in_hours"), "duration", "hours", "length"),
    ...fromEach(certain("level"), "levels", "difficulty", "difficulty_level"),
    ...fromEach(likely("syllabus"), "curriculum", "modules", "chapters", "outline"),
    ...fromEach(certain("what_you_will_learn"), "learning_outcomes", "learning_objectives"),
    ...fromEach(likely("what_you_will_learn"), "objectives", "outcomes", "skills", "topics"),
  },
  "a topic": { ...fromEach(certain("title"), "name", "heading") },
  "a syllabus item": { ...fromEach(certain("title"), "name", "heading") },
  "an instructor": { ...fromEach(certain("name"), "title", "full_name") },
  "an organization": { ...fromEach(certain("name"), "title") },
  "a video": { ...fromEach(certain("url"), "link", "href", "src") },
  "a price": { ...fromEach(certain("price"), "amount", "value", "cost") },
};

function fromEach(target: OtherName, ...names: string[]): Record<string, OtherName> {
  return Object.fromEntries(names.map((name) => [name, target]));
}

/** The key that another name means. @param free the keys that the object does not have */
export function keyByOtherName(
  owner: Owner,
  name: string,
  free: readonly string[],
): { readonly name: string; readonly isCertain: boolean } | undefined {
  const folded = name
    .slice(0, LONGEST)
    .replace(/([a-z])([A-Z])/g, "$1_$2")
    .replace(/[\s-]+/g, "_")
    .toLowerCase();
  const known = OTHER_NAMES[owner] ?? {};
  const found = Object.hasOwn(known, folded) ? known[folded] : undefined;
  if (found === undefined) return undefined;
  const [first, ...others] = found.names.filter((candidate) => free.includes(candidate));
  if (first === undefined) return undefined;
  // Of two keys that one name can mean, the missing one is intended.
  const isOnly = found.names.length > 1 && others.length === 0;
  return { name: first, isCertain: found.isCertain || isOnly };
}

const LONGEST = 64;
