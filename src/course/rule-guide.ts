/** Explains every rule, for the terminal, SARIF reports and docs/rules.md. */
import type { RuleGuide, RuleId } from "./problem.ts";
import { COURSE_GUIDES } from "./rule-guide-course.ts";

/** When the rules that need the user's providers are checked. */
const ONLINE = "check --online checks this, and every command before it sends a provider or a url.";

/** The rules for files, for several courses, and for what depends on the service. */
const FILE_GUIDES = {
  syntax: {
    severity: "error",
    summary: "A file must be valid YAML or JSON.",
    explanation: `
      A file named *.json is read as JSON, any other as YAML 1.2. A file with a syntax error is not
      checked any further. In YAML, put quotes around a value that contains ": " or " #", or that
      starts with a character such as @, *, & or [. Indent with spaces, never with tabs.`,
    wrong: "name: Knitting: a course for beginners",
    right: 'name: "Knitting: a course for beginners"',
  },
  encoding: {
    severity: "error",
    summary: "A file must be encoded as UTF-8.",
    explanation: `
      The file contains bytes that are not valid UTF-8, so it was probably saved in another encoding,
      such as UTF-16 or Windows-1252. Save it as UTF-8. A byte order mark is accepted.`,
  },
  "too-deep": {
    severity: "error",
    summary: "Objects and lists may be nested at most 64 levels deep.",
    explanation: `
      A course needs five levels. Deeper nesting comes from a faulty program or is malicious, so the
      rest of the file is not read. Look for brackets that a program has added repeatedly.`,
    wrong: `audio:\n  ${"[".repeat(64)}\n  en\n  ${"]".repeat(64)}`,
    right: "audio: [en]",
  },
  "too-many-aliases": {
    severity: "error",
    summary: "The aliases of a file may expand to at most 200,000 values.",
    explanation: `
      An alias such as *languages repeats the value marked by the anchor &languages. Aliases of aliases
      grow so fast that a few lines can exhaust the memory, so such a file is not read. Use an alias
      for a single value or a short list, and write out the rest.`,
    wrong: [
      "audio: &a [en, en, en, en, en, en, en, en, en]",
      "level: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a]",
      "prices: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b]",
      "syllabus: &d [*c, *c, *c, *c, *c, *c, *c, *c, *c]",
      "instructors: &e [*d, *d, *d, *d, *d, *d, *d, *d, *d]",
      "offered_by: [*e, *e, *e, *e, *e, *e, *e, *e, *e]",
    ].join("\n"),
    right: "audio: &languages [en, pt-BR]\nsubtitles_text: *languages",
  },
  "too-large": {
    severity: "error",
    summary:
      "A JSON file may have at most 48 MiB and 2,500,000 values, a YAML file at most 10 MiB and 500,000 lines.",
    explanation: `
      That is enough for more than ten thousand courses in JSON, and for about three thousand in YAML,
      which takes much longer to read. Larger files are rejected, so that no file can exhaust the
      memory. Split the file, ideally into one file per course, in a folder: check, create and push
      accept folders.`,
  },
  unreadable: {
    severity: "error",
    summary: "The path must lead to a readable file or folder.",
    explanation: `
      The file does not exist, you have no permission to read it, or it is neither a file nor a folder
      but, for example, a pipe. Check the spelling of the path and the permissions. Use - to read
      another program's output from standard input.`,
  },
  "no-course": {
    severity: "error",
    summary: "A file or folder must contain at least one course.",
    explanation: `
      A file that is empty or contains only comments, or a folder without course files, is almost
      certainly a mistake. Course files end in .yaml, .yml or .json. In a folder, hidden folders,
      node_modules, package.json, package-lock.json, tsconfig.json and the settings of this command
      are skipped.`,
    wrong: "# The course goes here.",
    right: "name: Knitting for Beginners",
  },
  "not-a-course": {
    severity: "error",
    summary: "A course must be an object with fields.",
    explanation: `
      A file contains one course, a list of courses, or several YAML documents separated by ---. Each
      course is an object: field by field, the name, a colon and the value.`,
    wrong: "Knitting for Beginners",
    right: "name: Knitting for Beginners",
  },
  "duplicate-key": {
    severity: "error",
    summary: "A key must appear only once in an object.",
    explanation: `
      If a key has two values, one of them would be lost silently, and which one depends on the program
      that reads the file. Keep the correct one.`,
    wrong: "pace: self_paced\npace: instructor_paced",
    right: "pace: self_paced",
  },
  "duplicate-id": {
    severity: "error",
    summary: "No two courses may have the same id.",
    explanation: `
      The service identifies a course by its id. All files of one run are compared, and the finding
      shows where the id was used first. Usually a file was copied: remove the id from the copy, and
      one is chosen when the course is created.`,
    wrong: [
      "id: 0b6ec7b5-6c8b-4a5e-9f1d-2f4c9b1e7a10",
      "---",
      "id: 0b6ec7b5-6c8b-4a5e-9f1d-2f4c9b1e7a10",
    ].join("\n"),
    right: "id: 0b6ec7b5-6c8b-4a5e-9f1d-2f4c9b1e7a10",
  },
  "duplicate-url": {
    severity: "error",
    summary: "No two courses may have the same url.",
    explanation: `
      A course without an id is identified by its url, so two courses with the same url cannot be
      distinguished. All files of one run are compared, and the finding shows where the url was used
      first. Usually a file was copied: give each course the address of its own page.`,
    wrong: [
      "url: https://academy.example/knitting",
      "---",
      "url: https://academy.example/knitting",
    ].join("\n"),
    right: [
      "url: https://academy.example/knitting",
      "---",
      "url: https://academy.example/sewing",
    ].join("\n"),
  },
  "too-many": {
    severity: "error",
    summary: "A file may have at most 10,000 findings.",
    explanation: `
      The rest of the file was not checked. So many findings come from one mistake that is repeated,
      usually by the program that wrote the file. Fix the first ones and check again.`,
  },
  "provider-twice": {
    severity: "error",
    summary: "A course must name its provider by provider_id or by provider, not by both.",
    explanation: `
      provider accepts the slug, domain or name of a provider and replaces provider_id. Keep one of
      them: with provider, the same file works in several environments.`,
    wrong: "provider: example-academy\nprovider_id: 6f0f8a34-4f3b-4c58-9d7e-0d0c3c1f5b21",
    right: "provider: example-academy",
  },
  "provider-unknown": {
    severity: "error",
    summary: "provider must match exactly one of your providers.",
    explanation: `
      It is the slug, domain or name of the provider as providers ls shows them, or its id. If several
      providers match, use the id. ${ONLINE}`,
    wrong: "provider: exmaple-academy",
    right: "provider: example-academy",
  },
  "provider-owned": {
    severity: "error",
    summary: "provider_id must be the id of one of your providers.",
    explanation: `
      A course can only be hosted by a provider of the API key's user. Check providers ls, and the key:
      the key of another user or another service has access to other providers. ${ONLINE}`,
    wrong: "provider_id: 0b6ec7b5-6c8b-4a5e-9f1d-2f4c9b1e7a10",
    right: "provider_id: 6f0f8a34-4f3b-4c58-9d7e-0d0c3c1f5b21",
  },
  "url-host": {
    severity: "error",
    summary: "The page of a course must be hosted on the site of one of your providers.",
    explanation: `
      The host of url must be the domain of a provider, the host of its site, or a subdomain of one of
      them, such as www.academy.example. Add new sites in the service's developer dashboard.
      ${ONLINE}`,
    wrong: "url: https://elsewhere.example/knitting",
    right: "url: https://academy.example/knitting",
  },
  "url-other-provider": {
    severity: "warning",
    summary: "The page of a course should be hosted on the site of the course's own provider.",
    explanation: `
      The host of url belongs to one of your providers, but not to the course's provider. Probably the
      url or the provider was copied from another course. ${ONLINE}`,
    wrong: "url: https://school.example/knitting\nprovider: example-academy",
    right: "url: https://school.example/knitting\nprovider: example-school",
  },
  "other-id": {
    severity: "error",
    summary: "A file for courses update must have the id of the updated course, or no id.",
    explanation: `
      An id cannot be changed, so if the ids in the file and on the command line differ, one of them is
      wrong. Remove the id from the file, or pass that id to courses update.`,
    wrong: [
      "# catalog courses update 0b6ec7b5-6c8b-4a5e-9f1d-2f4c9b1e7a10 knitting.yaml",
      "id: 5d3ff1c8-90f1-4c1c-8b6e-3c54e9a2d7f4",
      "name: Knitting for Everyone",
    ].join("\n"),
    right: [
      "# catalog courses update 0b6ec7b5-6c8b-4a5e-9f1d-2f4c9b1e7a10 knitting.yaml",
      "name: Knitting for Everyone",
    ].join("\n"),
  },
  "same-course": {
    severity: "error",
    summary: "Each course of the catalog must be described by one file only.",
    explanation: `
      push matches a course by its id, or else by its url. Here two courses match the same one, for
      example one by its id and the other by its url, and would overwrite each other's changes. Merge
      them, or give the new one a different url. push and diff check this.`,
  },
  "several-courses": {
    severity: "error",
    summary: "A course without an id must have a url that is unique in the catalog.",
    explanation: `
      Several courses in the catalog have the url of this file, so it is not clear which one to update.
      Add the id of that course to the file; courses ls shows the ids. push and diff check this.`,
  },
  service: {
    severity: "error",
    summary: "The service accepted the course.",
    explanation: `
      The course passed every local check, but the service rejected it. The finding shows the service's
      message and, if that names a field, its location. Follow the message and send the course
      again.`,
  },
} as const satisfies Partial<Record<RuleId, RuleGuide>>;

const GUIDES: Readonly<Record<RuleId, RuleGuide>> = { ...FILE_GUIDES, ...COURSE_GUIDES };

/** The explanation of every rule that a course file can break, each on one line. */
export const RULE_GUIDE = Object.fromEntries(
  Object.entries(GUIDES).map(([rule, guide]) => [
    rule,
    { ...guide, explanation: guide.explanation.trim().replace(/\s+/g, " ") },
  ]),
) as typeof GUIDES;
