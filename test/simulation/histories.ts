/** Histories that found a fault. They are data, so that they stay what they are when random histories change. */

import type { Change, History, RunStep, Step } from "./history.ts";
import { type Course, derivedId } from "./model.ts";
import { type Files, type Freedoms, PROVIDERS, USUAL } from "./world.ts";

/** The nth of many ids. */
function id(number: number): string {
  return `b0000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
}

/** The nth of many courses. */
function course(number: number, changes: Course = {}): Course {
  return {
    id: id(number),
    name: `Course ${number}`,
    url: `https://alpha.example/${number}`,
    short_description: "Short.",
    long_description: "Long.",
    audio: ["en"],
    provider_id: PROVIDERS[0]?.id,
    pace: "self_paced",
    ...changes,
  };
}

/** The file of a course that is found by its url. */
function describe(described: Course): string {
  const { id: _, ...fields } = described;
  return JSON.stringify(fields);
}

function run(words: string, more: Partial<RunStep> = {}): RunStep {
  return { do: "run", who: "ada", words: words.split(" "), ...more };
}

function colleague(change: Change): Step {
  return { do: "colleague", change };
}

/** A fault, and the history that found it. */
function found(
  fault: string,
  courses: readonly Course[],
  files: Files,
  steps: readonly Step[],
  changes: Partial<Freedoms> = {},
): { readonly fault: string; readonly history: History } {
  const freedoms = { ...USUAL, ...changes };
  const providers = PROVIDERS.slice(0, 1);
  return { fault, history: { world: { freedoms, providers, courses, files }, steps } };
}

const DERIVED: Course = { ...course(1), id: derivedId(course(1)) };
const PRICES = [{ type: "single_course", price: "10.00", currency: "EUR" }];
const BOOK = [run("courses ls --all --out book.xlsx")];

const DEFAULTS = { "courses/catalog.defaults.yaml": "level: [beginner]\n" };

function cell(number: number, column: string, value: string): Step {
  return { do: "cell", who: "ada", path: "book.xlsx", id: id(number), column, value };
}

/** Every history that found a fault. */
export const HISTORIES: readonly ReturnType<typeof found>[] = [
  found(
    "push updates a course with the values that it has, if another course has its url",
    [DERIVED, course(2, { url: DERIVED.url, name: DERIVED.name })],
    { "courses/a.json": describe(DERIVED) },
    [run("courses push courses")],
  ),
  found(
    "the record of a deleted course lacks fields, if another course has its url",
    [course(2, { url: `${DERIVED.url}/`, name: DERIVED.name, prices: PRICES }), DERIVED],
    { "courses/a.json": describe(DERIVED) },
    [run("courses push courses --prune --yes --max-deletes 100%")],
  ),
  found(
    "one push creates a course for each spelling of a url",
    [],
    {
      "courses/a.json": describe(course(1, { url: "https://alpha.example/~tea" })),
      "courses/b.json": describe(course(2, { url: "https://ALPHA.example:443/%7Etea/" })),
    },
    [run("courses push courses")],
  ),
  found(
    "push creates a course whose url exists with another percent-encoding",
    [course(1, { url: "https://alpha.example/%7Etea" })],
    { "courses/a.json": describe(course(2, { url: "https://alpha.example/~tea" })) },
    [run("courses push courses")],
  ),
  found(
    "a plan gives a course a url that another course got after the plan was made",
    [course(1)],
    { "courses/a.json": JSON.stringify(course(1, { url: "https://alpha.example/new" })) },
    [
      run("courses diff courses --out plan1.ndjson"),
      colleague({ op: "add", course: course(2, { url: "https://alpha.example/new" }) }),
      run("courses push --plan plan1.ndjson"),
    ],
  ),
  found("undo gives a course back a url that another course got since", [course(1)], {}, [
    run(`courses update ${id(1)} --set url=https://alpha.example/new`),
    colleague({ op: "add", course: course(2, { url: course(1).url }) }),
    run("undo --yes"),
  ]),
  found(
    "undo does not restore a course that shared its url before the run",
    [course(1), course(2, { url: course(1).url })],
    {},
    [run(`courses rm ${id(1)} --yes`, { probes: ["undone"] })],
  ),
  found(
    "a course that a deletion moves to an earlier page while the list is read is created again",
    Array.from({ length: 103 }, (_, index) => course(index + 1)),
    { "courses/a.json": describe(course(101, { name: "Other" })) },
    [
      run("courses push courses", {
        events: [{ at: "GET 3", colleague: { op: "delete", id: id(1) } }],
      }),
    ],
  ),
  found(
    "rm deletes by a url after a list that shows a course twice",
    [course(1), course(2), course(3)],
    {},
    [run(`courses rm ${course(1).url} --yes`)],
    { isRestless: true },
  ),
  found(
    "undo gives a course a url that another course has, after a list that lacks that course",
    [course(1), course(2)],
    {},
    [
      run(`courses update ${course(2).url} --set url=https://alpha.example/new`),
      { do: "colleague", change: { op: "add", course: course(3, { url: course(2).url }) } },
      run("undo --yes"),
    ],
    { isRestless: true },
  ),
  found(
    "a plan of more deletions than the limit is applied, because one of them no longer applies",
    Array.from({ length: 7 }, (_, index) => course(index + 1)),
    { "courses/a.json": describe(course(1)) },
    [
      run("courses diff courses --out plan.ndjson --prune --max-deletes 100%"),
      { do: "colleague", change: { op: "change", id: id(2), fields: { name: "Later" } } },
      run("courses push --plan plan.ndjson --yes", { probes: ["shown"] }),
    ],
  ),
  found("a course that changes while rm asks is deleted, and its change is lost", [course(1)], {}, [
    run(`courses rm ${id(1)}`, {
      answer: "yes",
      events: [
        { at: "question", colleague: { op: "change", id: id(1), fields: { name: "Later" } } },
      ],
    }),
  ]),
  found(
    "a page of HTML that answers a deletion counts as a failure, although the course is deleted",
    [course(1)],
    {},
    [run(`courses rm ${id(1)} --yes --json`, { events: [{ at: "DELETE 1", fault: "html done" }] })],
  ),
  found(
    "undo does not restore a course whose deletion took effect after the run",
    [course(1)],
    {},
    [
      run(`courses rm ${id(1)} --yes --json --retries 0`, {
        events: [{ at: "DELETE 1", fault: "late" }],
        probes: ["undone"],
      }),
    ],
  ),
  found(
    "push --on-drift overwrite sends what changed only in the catalog",
    [course(1)],
    { "courses/a.json": JSON.stringify(course(1)) },
    [
      { do: "snapshot", who: "ada" },
      colleague({ op: "change", id: id(1), fields: { name: "By a colleague" } }),
      run("courses push courses --base base --on-drift overwrite"),
    ],
  ),
  found(
    "push --on-drift overwrite of a workbook sends cells that were not edited",
    [course(1, { prices: PRICES }), course(2)],
    {},
    [
      ...BOOK,
      cell(1, "prices[0].price", "12.00"),
      colleague({ op: "change", id: id(1), fields: { short_description: "By a colleague" } }),
      colleague({ op: "change", id: id(2), fields: { name: "By a colleague" } }),
      run("courses push book.xlsx --on-drift overwrite"),
    ],
  ),
  found(
    "a second edit of a cell that was pushed already is refused as drift",
    [course(1, { prices: PRICES })],
    {},
    [
      ...BOOK,
      cell(1, "prices[0].price", "12.00"),
      run("courses push book.xlsx"),
      cell(1, "prices[0].price", "13.00"),
      run("courses push book.xlsx"),
    ],
  ),
  found(
    "a cell that is set back to its exported value after a push is not sent",
    [course(1, { prices: PRICES })],
    {},
    [
      ...BOOK,
      cell(1, "prices[0].price", "12.00"),
      run("courses push book.xlsx"),
      cell(1, "prices[0].price", "10.00"),
      run("courses push book.xlsx"),
    ],
  ),
  found(
    "pull writes a new file in which a default gives a course a value that it does not have",
    [course(1)],
    DEFAULTS,
    [run("courses pull courses")],
    { empty: "absent" },
  ),
  found(
    "pull --force leaves a file to a default that gives the course another value",
    [course(1)],
    { ...DEFAULTS, "courses/a.json": JSON.stringify(course(1)) },
    [run("courses pull courses --force")],
    { empty: "absent" },
  ),
];
