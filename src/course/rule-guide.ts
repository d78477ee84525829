/** Explains every rule, for the terminal, SARIF reports and docs/rules.md. */
import type { Guide, RuleGuide, RuleId } from "./problem.ts";
import { COURSE_GUIDES } from "./rule-guide-course.ts";

/** When the rules that need the user's providers are checked. */
const ONLINE =
  "check --online checks this, and so does every command before it sends a provider or a url.";

/** The rules for files, for several courses, and for what depends on the service. */
const FILE_GUIDES = {
  syntax: {
    summary: "A file must be valid YAML, JSON, CSV, TSV or NDJSON.",
    explanation: `
      The extension of a file decides its format; with any other, it is read as YAML 1.2. In YAML, put quotes around a
      value that contains ": " or " #", or that starts with a character such as @, *, & or [.
      Indent with spaces.`,
    wrong: "name: Knitting: a course for beginners",
    right: 'name: "Knitting: a course for beginners"',
  },
  encoding: {
    summary: "A file must be encoded as UTF-8.",
    explanation: `
      The file was probably saved in another encoding, such as UTF-16 or Windows-1252. Save it as
      UTF-8: in Excel, choose the file type "CSV UTF-8"; on a command line, for example,
      iconv -f WINDOWS-1252 -t UTF-8 old.csv > new.csv. A workbook (.xlsx) must be saved as CSV first.`,
  },
  "too-deep": {
    summary: "Objects and lists may be nested at most 64 levels deep.",
    explanation: `
      A course needs five levels. Look for brackets that a program has added repeatedly.`,
    wrong: `audio:\n  ${"[".repeat(64)}\n  en\n  ${"]".repeat(64)}`,
    right: "audio: [en]",
  },
  "too-many-aliases": {
    summary: "The aliases of a file may expand to at most 200,000 values.",
    explanation: `
      An alias such as *languages repeats the value marked by the anchor &languages. Aliases of
      aliases can exhaust the memory with a few lines. Use an alias for a single value or a short
      list, and write out the rest.`,
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
    summary: "A file may have at most 48 MiB, 1,000,000 values and 100,000 courses.",
    explanation: `
      That is enough for more than ten thousand courses. Anchors, tags and nested brackets are read
      in at most 10 MiB of YAML. Split the file, ideally into one file per course, in a folder: check, create and push
      accept folders.`,
  },
  unreadable: {
    summary: "The path must lead to a readable file or folder.",
    explanation: `
      The file does not exist, you have no permission to read it, or it is neither a file nor a
      folder. Use - to read standard input.`,
  },
  "no-course": {
    summary: "A file or folder must contain at least one course.",
    explanation: `
      The file is empty or contains only comments, or the folder has no course files: YAML (.yaml,
      .yml), JSON (.json), CSV (.csv), TSV (.tsv) or NDJSON (.ndjson, .jsonl). Hidden folders, node_modules, package.json, package-lock.json, what .catalogignore excludes,
      tsconfig.json and the settings of this command are skipped.`,
    wrong: "# The course goes here.",
    right: "name: Knitting for Beginners",
  },
  "not-read": {
    severity: "warning",
    summary:
      "Every entry of a folder that looks like a course file or a folder should be readable.",
    explanation: `
      A broken link, a link that leads out of the folder, or a pipe is never read. push --prune would
      delete its course, so there it is an error. A catalog.defaults.yaml is not read either if it is a
      link, does not belong to the owner of its folder, or is in a folder where every user can create
      files; nor is such a .catalogignore. Replace the entry with a regular file, or remove it. A
      spreadsheet (.xls, .xlsx, .ods, .numbers) or text document (.docx) is only a warning.`,
  },
  "not-a-course": {
    summary: "A course must be an object with fields.",
    explanation: `
      A file contains one course, a list of courses, or several YAML documents separated by ---.
      Each course is an object: field by field, the name, a colon and the value. An object of which
      fewer than two keys or less than half of them are fields, or were probably intended as fields,
      belongs to another program: no command edits or removes it. List its file or folder in a file
      named .catalogignore, which has the syntax of .gitignore.`,
    wrong: "Knitting for Beginners",
    right: "name: Knitting for Beginners",
  },
  "duplicate-key": {
    summary: "A key must appear only once in an object, and a course's key in one course only.",
    explanation: `
      Of two equal keys in one object, only one value would be used, and which one depends on the
      program that reads the file: keep the correct one. The field "key" identifies a course, so
      two courses of one provider cannot have the same: usually a file was copied.`,
    wrong: "pace: self_paced\npace: instructor_paced",
    right: "pace: self_paced",
  },
  "duplicate-id": {
    summary: "No two courses may have the same id.",
    explanation: `
      The service identifies a course by its id. All files of one run are compared. Usually a file
      was copied: remove the id from the copy, and one is chosen when the course is created.`,
    wrong:
      "id: 0b6ec7b5-6c8b-4a5e-9f1d-2f4c9b1e7a10\n---\nid: 0b6ec7b5-6c8b-4a5e-9f1d-2f4c9b1e7a10",
    right: "id: 0b6ec7b5-6c8b-4a5e-9f1d-2f4c9b1e7a10",
  },
  "duplicate-url": {
    summary: "No two courses may have the same url.",
    explanation: `
      A course without an id is identified by its url. All files of one run are compared. Usually a
      file was copied: give each course the address of its own page.`,
    wrong: "url: https://academy.example/knitting\n---\nurl: https://academy.example/knitting",
    right: "url: https://academy.example/knitting\n---\nurl: https://academy.example/sewing",
  },
  "too-many": {
    summary: "A file may have at most 10,000 errors.",
    explanation: `
      The rest of the file was not checked. So many errors usually come from one mistake of the
      program that wrote the file. Fix the first ones and check again. Of more than 10,000 warnings,
      only the first are reported, and this is a warning.`,
  },
  mapping: {
    summary: "The mapping of an import must turn each row into one course.",
    explanation: `
      The mapping failed for this row, took too long, or returned something other than an object with
      the fields of a course. The message names the place in the mapping. A mapping that returns
      nothing skips the row.`,
  },
  "provider-twice": {
    summary: "A course must name its provider by provider_id or by provider, not by both.",
    explanation: `
      provider accepts the slug, domain or name of a provider and replaces provider_id. Keep one of
      them: with provider, the same file works in several environments.`,
    wrong: "provider: example-academy\nprovider_id: 6f0f8a34-4f3b-4c58-9d7e-0d0c3c1f5b21",
    right: "provider: example-academy",
  },
  "provider-unknown": {
    summary: "provider must match exactly one of your providers.",
    explanation: `
      It is the slug, domain or name of the provider as providers ls shows them, or its id. If
      several providers match, use the id. ${ONLINE}`,
    wrong: "provider: exmaple-academy",
    right: "provider: example-academy",
  },
  "provider-owned": {
    summary: "provider_id must be the id of one of your providers.",
    explanation: `
      A course can only be hosted by a provider of the user of the API key. Check providers ls, and
      the key. ${ONLINE}`,
    wrong: "provider_id: 0b6ec7b5-6c8b-4a5e-9f1d-2f4c9b1e7a10",
    right: "provider_id: 6f0f8a34-4f3b-4c58-9d7e-0d0c3c1f5b21",
  },
  "url-host": {
    summary: "The page of a course must be hosted on the site of one of your providers.",
    explanation: `
      The host of url must be the domain of a provider, the host of its site, or a subdomain of one
      of them, such as www.academy.example. Add new sites in the service's developer dashboard.
      ${ONLINE}`,
    wrong: "url: https://elsewhere.example/knitting",
    right: "url: https://academy.example/knitting",
  },
  "url-other-provider": {
    severity: "warning",
    summary: "The page of a course should be hosted on the site of the course's own provider.",
    explanation: `
      Probably the url or the provider was copied from another course. ${ONLINE}`,
    wrong: "url: https://school.example/knitting\nprovider: example-academy",
    right: "url: https://school.example/knitting\nprovider: example-school",
  },
  "other-id": {
    summary: "A file for courses update must have the id of the updated course, or no id.",
    explanation: `
      An id cannot be changed. Remove the id from the file, or pass that id to courses update.`,
    wrong:
      "# catalog courses update 0b6ec7b5-6c8b-4a5e-9f1d-2f4c9b1e7a10 knitting.yaml\nid: 5d3ff1c8-90f1-4c1c-8b6e-3c54e9a2d7f4\nname: Knitting for Everyone",
    right:
      "# catalog courses update 0b6ec7b5-6c8b-4a5e-9f1d-2f4c9b1e7a10 knitting.yaml\nname: Knitting for Everyone",
  },
  "same-course": {
    summary: "Each course of the catalog must be described by one file only.",
    explanation: `
      push matches a course by its id, or else by its key, or else by its url. Two courses that match
      the same one would overwrite each other's changes. Merge them, or give the new one another key or
      url. push and diff check this.`,
  },
  "several-courses": {
    summary: "A course without an id must have a url that is unique in the catalog.",
    explanation: `
      Several courses in the catalog have the url of this file, so it is not clear which one to
      update. Add the id of that course to the file; courses ls shows the ids. push and diff check
      this.`,
  },
  "possible-move": {
    severity: "warning",
    summary: "A new course should not be one that the catalog already has under another url.",
    explanation: `
      push would create this course, while the catalog contains a course that no file describes and
      that has the same provider and name, or an equivalent url. If it is the same course, add its
      id to the file: it is then updated, and keeps its approval. If --prune would also delete that
      course, this is an error unless --allow-recreate is given. push and diff check this.`,
  },
  "course-exists": {
    summary: "courses create only creates courses that do not exist.",
    explanation: `
      The catalog already contains a course with this id, key or url. To change it, use courses
      push or courses update. With --skip-existing, create leaves it unchanged.`,
  },
  stale: {
    summary: "A step of a plan applies only if its course has not changed since the plan was made.",
    explanation: `
      The course has changed since the plan was written, so the step was not sent. Make a new plan
      with courses diff --out, and review it.`,
  },
  service: {
    summary: "The service accepted the course.",
    explanation: `
      The course passed every local check, but the service rejected it. Follow the service's
      message and send the course again.`,
  },
} satisfies Partial<Record<RuleId, Guide>>;

const GUIDES: Readonly<Record<RuleId, Guide>> = { ...FILE_GUIDES, ...COURSE_GUIDES };

/** The explanation of every rule that a course file can break, each on one line. */
export const RULE_GUIDE = Object.fromEntries(
  Object.entries(GUIDES).map(([rule, guide]) => [
    rule,
    { severity: "error", ...guide, explanation: guide.explanation.trim().replace(/\s+/g, " ") },
  ]),
) as Record<RuleId, RuleGuide>;
