/** The levels of courses, by the words that other systems use in English, German, French and Spanish. */
import { isList } from "../../../base/values.ts";

/** The beginnings of words for each level, without marks of letters. */
const LEVELS: readonly (readonly [string, RegExp])[] = [
  [
    "beginner",
    /\b(?:begin|novice|introd|basi[cqs]|element|anfanger|einst(?:eiger|ieg)|grund|debut|princip|inici)/,
  ],
  ["intermediate", /\b(?:intermed|mittel|medio|aufbau)/],
  ["advanced", /\b(?:advanc|expert|fortgeschritten|avanc|avanz)/],
];

const ALL = /\b(?:all|alle|tous|toutes|todos)\b/;

const NAMES: ReadonlySet<string> = new Set(LEVELS.map(([name]) => name));

/** Whether a text is the name of a level as courses have it. */
export function isLevel(text: string): boolean {
  return NAMES.has(text);
}

/** The levels in a list, or in a text such as `Beginner; Intermediate`; unknown words are left as they are. */
export function levelsOf(value: unknown): readonly string[] | undefined {
  const texts = isList(value) ? value : [value];
  const found = texts.flatMap((text) =>
    typeof text === "string" ? text.split(/[,;|/]/).flatMap(levelsIn) : [],
  );
  return found.length === 0 ? undefined : [...new Set(found)];
}

function levelsIn(text: string): readonly string[] {
  const part = text.trim();
  if (part === "") return [];
  const folded = part.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  const known = LEVELS.filter(([, pattern]) => ALL.test(folded) || pattern.test(folded));
  return known.length === 0 ? [part] : known.map(([name]) => name);
}
