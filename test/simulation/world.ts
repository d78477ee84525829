/** Makes a world from one number: a service with the freedoms that its description leaves, and folders of files. */
import { Document, stringify, visit } from "yaml";
import { type Course, derivedId, normalUrl, type Provider } from "./model.ts";

/** A generator of numbers: the same numbers for the same seed. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = Math.imul(seed + 1, 0x9e3779b1) >>> 0;
  }

  /** A number from 0 up to 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from 0 up to a limit. */
  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  /** Whether something happens, as often as `share` says. */
  chance(share: number): boolean {
    return this.next() < share;
  }

  pick<Item>(items: readonly Item[]): Item {
    if (items.length === 0) throw new Error("nothing to pick from");
    return items[this.below(items.length)] as Item;
  }

  /** One of some names, each as often as its weight says. */
  weighted<Name extends string>(weights: Readonly<Record<Name, number>>): Name {
    const entries = Object.entries<number>(weights) as [Name, number][];
    let left = this.next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [name, weight] of entries) {
      left -= weight;
      if (left < 0) return name;
    }
    throw new Error("nothing to pick from");
  }
}

/** What a service may do as it likes. */
export interface Freedoms {
  /** The order of courses in lists. */
  readonly order: "created" | "changed-last" | "changed-first" | "by-name";
  /** How fields without a value are written. */
  readonly empty: "null" | "list" | "absent";
  readonly numbersAsText: boolean;
  readonly upperIds: boolean;
  /** How urls are stored: as sent, with the host in lowercase, or with or without a slash at the end. */
  readonly urls: "kept" | "lowered" | "slashed" | "unslashed";
  /** Whether every list shows a course twice and hides another one. */
  readonly isRestless: boolean;
  /** Whether texts are stored in NFC, and with single spaces. */
  readonly trims: boolean;
}

/** A service that takes no freedom. */
export const USUAL: Freedoms = {
  order: "created",
  empty: "null",
  numbersAsText: false,
  upperIds: false,
  urls: "kept",
  isRestless: false,
  trims: false,
};

/** The files of a person, by path. */
export type Files = Readonly<Record<string, string>>;

export interface World {
  readonly freedoms: Freedoms;
  readonly providers: readonly Provider[];
  readonly courses: readonly Course[];
  readonly files: Files;
}

const HOSTS = ["alpha.example", "beta.example", "gamma.example"];
const PATHS = "bread knit m%C3%BCsli ~tea a/b c?x=1 Case d1 d2 d3 d4 d5 d6 d7 d8 d9".split(" ");

export const PROVIDERS: readonly Provider[] = HOSTS.map((host, index) => ({
  id: `a0000000-0000-4000-8000-00000000000${index + 1}`,
  name: `${host.slice(0, 1).toUpperCase()}${host.slice(1, -8)} Academy`,
  slug: host.slice(0, -8),
  url: `https://${host}`,
}));

export function randomId(random: Random): string {
  return `b0000000-0000-4000-8000-${String(random.below(1e9)).padStart(12, "0")}`;
}

/** A url of a provider from a small number, so that urls are often equal. */
export function randomUrl(random: Random, { url }: Provider): string {
  return `${url}/${random.pick(PATHS)}`;
}

/** Another spelling of a url. */
export function respell(random: Random, url: string): string {
  const spelled = random.pick<(text: string) => string>([
    (text) => text,
    (text) => text.replace(/^([^?]*?)\/?(\?.*)?$/, "$1/$2"),
    (text) => text.replace(/[a-z]+\.example/, (host) => host.toUpperCase()),
    (text) => text.replace(".example/", ".example:443/"),
    (text) => text.replace("~", "%7E").replaceAll("%C3%BC", "ü"),
    (text) => text.replaceAll("%C3%BC", "%c3%bc").replace(".example/", ".example/./"),
    (text) => text.replace(/^https/, "HTTPS"),
  ])(url);
  return spelled;
}

const NAMES = ["Bread", "Knitting", "Caf\u00e9", "Cafe\u0301", "編み物 🧶", "No: 1 #x", "Tea"];
const TEXTS = [
  "Short.",
  "Two\nlines.",
  "With a tab\tin it.",
  "“Quotes”",
  "- a list?",
  "1.50",
  "no",
];

/** Random values of the optional fields. */
const OPTIONAL: Readonly<Record<string, (random: Random) => unknown>> = {
  prices: (random) => {
    const price = {
      type: "single_course",
      price: `${random.below(90) + 10}.${random.pick(["00", "50"])}`,
      currency: "EUR",
    };
    if (random.chance(0.7)) return [price];
    const period = { unit: "months", value: 1 };
    return [price, { ...price, type: "subscription", total_price: "120", payment_period: period }];
  },
  level: (random) => (random.chance(0.5) ? ["beginner", "advanced"] : ["advanced", "beginner"]),
  certificate: (random) =>
    random.pick<unknown>([{ type: "free" }, { type: "paid", price: "9.90", currency: "EUR" }]),
  published: (random) => random.chance(0.5),
  syllabus: (random) => [
    { title: "One", description: random.pick<unknown>(["Text", ["a", "b"]]) },
    { title: `Two ${random.below(3)}` },
  ],
  instructors: (random) => [{ name: random.pick(["Ada", "Ben"]), main: true }],
  image_url: (random) => `https://img.example/${random.below(3)}.png`,
  number_of_lessons: (random) => random.below(3) + 1,
  duration_in_hours: (random) => random.pick([1, 2.5, 10]),
  assessments: (random) => random.chance(0.5),
  subtitles_text: (random) => random.pick([["de"], ["de", "en-GB"]]),
  what_you_will_learn: (random) => [{ title: `Skill ${random.below(3)}` }],
  offered_by: () => [{ type: "company", name: "Example" }],
  free_content: (random) => random.chance(0.5),
  video: (random) => ({ type: "youtube", id: `v${random.below(3)}` }),
  provider_rating: (random) => ({ type: "scale", min: 1, max: 5, value: random.below(4) + 1 }),
};

/** A random value of a field; `null` clears an optional one. */
export function randomValue(random: Random, field: string): unknown {
  if (field === "name")
    return `${random.pick(NAMES)}${random.chance(0.5) ? ` ${random.below(9)}` : ""}`;
  if (/description$/.test(field)) return `${random.pick(TEXTS)} ${random.below(9)}`;
  if (field === "audio") return random.pick([["en"], ["en", "de"], ["de", "en"]]);
  if (field === "pace") return random.pick(["self_paced", "instructor_paced"]);
  return random.chance(0.15) ? null : OPTIONAL[field]?.(random);
}

/** The fields that edits change. */
export const EDITED = [
  "name",
  "short_description",
  "long_description",
  "audio",
  "pace",
  ...Object.keys(OPTIONAL),
];

/** A course with all required fields and some others. */
export function randomCourse(random: Random, provider: Provider, url: string): Course {
  const optional = Object.keys(OPTIONAL).filter(() => random.chance(0.2));
  const fields = ["name", "short_description", "long_description", "audio", "pace", ...optional];
  const values = fields.map((field) => [field, randomValue(random, field)] as const);
  const given = Object.fromEntries(values.filter(([, value]) => value !== null));
  return { ...given, url, provider_id: provider.id };
}

/** A course as a person describes it in a file: found by its id, key or url, with some or all of its fields. */
export function describe(random: Random, course: Course, how: "id" | "key" | "url"): Course {
  const { id, slug, provider_id, ...fields } = course;
  const given = Object.entries(fields).filter(
    ([field, value]) => value !== null && (field in OPTIONAL ? random.chance(0.7) : true),
  );
  const provider = PROVIDERS.find((each) => each.id === provider_id);
  const named = random.chance(0.7) ? { provider: provider?.slug } : { provider_id };
  const note = random.chance(0.3) ? { "x-note": `keep ${random.below(1000)}` } : {};
  const identity = how === "id" ? { id } : how === "key" ? { key: `K${random.below(5)}` } : {};
  return { ...identity, ...named, ...Object.fromEntries(given), ...note };
}

/** Courses as the text of a file; YAML with comments. */
export function writeCourses(random: Random, path: string, courses: readonly Course[]): string {
  if (path.endsWith(".json"))
    return `${JSON.stringify(courses.length === 1 ? courses[0] : courses, undefined, 2)}\n`;
  if (path.endsWith(".ndjson")) return courses.map((each) => `${JSON.stringify(each)}\n`).join("");
  if (path.endsWith(".csv")) return writeCsv(courses);
  const texts = courses.map((each) => {
    const layout = random.chance(0.2) ? asFlow(each) : each;
    const lines = stringify(layout, { lineWidth: 0 }).trimEnd().split("\n");
    if (random.chance(0.5)) lines.unshift(`# above ${random.below(1000)}`);
    if (random.chance(0.5)) lines.push(`# below ${random.below(1000)}`);
    return `${lines.join("\n")}\n`;
  });
  return texts.join("---\n");
}

/** A course whose lists are written in brackets. */
function asFlow(course: Course): Document {
  const document = new Document(course);
  visit(document, {
    Seq: (_, node) => {
      node.flow = true;
    },
  });
  return document;
}

/** CSV with a column for each field, and columns for the parts of the first price. */
function writeCsv(courses: readonly Course[]): string {
  const rows = courses.map((course) => {
    const { prices, ...rest } = course;
    const [price, ...others] = Array.isArray(prices) ? prices : [];
    const isPlain = others.length === 0 && price !== undefined && price.type === "single_course";
    const parts = isPlain
      ? Object.entries(price).map(([key, value]) => [`prices[0].${key}`, value])
      : [];
    return {
      ...rest,
      ...(isPlain || !("prices" in course) ? {} : { prices }),
      ...Object.fromEntries(parts),
    } as Course;
  });
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cell = (value: unknown): string => {
    if (value === undefined) return "";
    const isList = Array.isArray(value) && value.every((each) => typeof each === "string");
    const text = isList
      ? value.join(",")
      : typeof value === "string"
        ? value
        : JSON.stringify(value);
    return /[",\n\t]|^ | $/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return [
    columns.join(","),
    ...rows.map((row) => columns.map((column) => cell(row[column])).join(",")),
  ]
    .map((line) => `${line}\n`)
    .join("");
}

/** The courses of a long list whose places are next to the end of a page; of a short one, all. */
export function nextToPages<Item>(courses: readonly Item[]): readonly Item[] {
  const isNext = (place: number): boolean => (place + 3) % 99 < 6 && place > 6;
  return courses.length > 100 ? courses.filter((_, place) => isNext(place)) : courses;
}

const HOWS = ["id", "id", "url", "url", "key"] as const;

/** A random world. */
export function randomWorld(random: Random): World {
  const providers = PROVIDERS.slice(0, random.pick([1, 1, 2, 3]));
  const isLarge = random.chance(0.12);
  const freedoms: Freedoms = {
    order: random.pick(["created", "created", "changed-last", "changed-first", "by-name"] as const),
    empty: random.pick(["null", "list", "absent"] as const),
    numbersAsText: random.chance(0.15),
    upperIds: random.chance(0.15),
    urls: random.pick(["kept", "kept", "kept", "lowered", "slashed", "unslashed"] as const),
    isRestless: random.chance(0.05),
    trims: random.chance(0.05),
  };
  const courses: Course[] = [];
  const count = isLarge ? 100 + random.below(150) : random.below(12);
  for (let index = 0; index < count; index++) {
    const provider = random.pick(providers);
    const url =
      isLarge && random.chance(0.95)
        ? `${provider.url}/n/${index}`
        : respell(random, randomUrl(random, provider));
    const course = { id: randomId(random), ...randomCourse(random, provider, url) };
    courses.push(random.chance(0.3) ? { ...course, id: derivedId(course) } : course);
    // The same course again, with more fields and perhaps another spelling of its url.
    if (random.chance(isLarge ? 0.01 : 0.08)) {
      const more = random.chance(0.5) ? randomCourse(random, provider, url) : {};
      courses.push({ ...more, ...course, id: randomId(random), url: respell(random, url) });
    }
  }
  const unique = [...new Map(courses.map((each) => [String(each.id), each])).values()];
  const files: Record<string, string> = {};
  /** The ids of courses that were created with the keys of their files. */
  const keyed = new Map<string, string>();
  const described = nextToPages(unique);
  for (const [index, course] of described.entries()) {
    if (random.chance(isLarge ? 0.2 : 0.4)) continue;
    const path = `courses/f${index}.${random.pick(["yaml", "yaml", "yaml", "json", "csv", "ndjson"])}`;
    const isTwin = unique.some(
      (each) => each !== course && normalUrl(each.url) === normalUrl(course.url),
    );
    const how = isTwin && random.chance(0.7) ? "id" : isLarge ? "url" : random.pick(HOWS);
    const written = describe(random, course, how);
    const id = derivedId({ ...course, key: written.key });
    if (written.key && ![...keyed.values()].includes(id)) keyed.set(String(course.id), id);
    files[path] = writeCourses(random, path, [written]);
  }
  const made = unique.map((each) => ({ ...each, id: keyed.get(String(each.id)) ?? each.id }));
  return { freedoms, providers, courses: made, files };
}
