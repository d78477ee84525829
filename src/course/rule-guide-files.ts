/** Tells about the rules for a file as a whole, and for its courses beside one another. */
import type { RuleId } from "./problem.ts";
import { example, prose, type RuleGuide } from "./rule-guide-shape.ts";

/** Rules that concern the text before any field, or several courses at once. */
export const FILE_GUIDES = {
  syntax: {
    severity: "error",
    summary: "The text is valid YAML or JSON.",
    explanation: prose(`
      A file that ends in .json is read as JSON, any other as YAML 1.2. As long as its text cannot be
      read, nothing else in the file is checked. In YAML, put a text in quotation marks when it holds
      a colon with a blank after it or a number sign with a blank before it, or when it begins with a
      sign such as @, *, & or [. Indent with blanks, never with tabs.`),
    wrong: "name: Knitting: a course for beginners",
    right: 'name: "Knitting: a course for beginners"',
  },
  encoding: {
    severity: "error",
    summary: "The text is encoded as UTF-8.",
    explanation: prose(`
      Some bytes of the file stand for no character in UTF-8, so it was probably saved in another
      encoding, such as UTF-16 or Windows-1252. Save it again as UTF-8. A byte order mark at its
      beginning does no harm.`),
  },
  "too-deep": {
    severity: "error",
    summary: "At most 64 mappings and lists stand inside one another.",
    explanation: prose(`
      A course needs five. Deeper nesting comes from a program at fault, or is meant to do harm, so
      the file is not read any further. Look for brackets that a program has put around a value again
      and again.`),
    wrong: deep(64),
    right: "audio: [en]",
  },
  "too-many-aliases": {
    severity: "error",
    summary: "The aliases of a file stand for at most 200,000 values.",
    explanation: prose(`
      An alias such as *languages repeats the value that the anchor &languages marks. Aliases of
      aliases grow so fast that a few lines can fill the memory of a computer, so such a file is not
      read. Use an alias for a single value or a short list, and write out the rest.`),
    wrong: example(`
      audio: &a [en, en, en, en, en, en, en, en, en]
      level: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a]
      prices: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b]
      syllabus: &d [*c, *c, *c, *c, *c, *c, *c, *c, *c]
      instructors: &e [*d, *d, *d, *d, *d, *d, *d, *d, *d]
      offered_by: [*e, *e, *e, *e, *e, *e, *e, *e, *e]`),
    right: example(`
      audio: &languages [en, pt-BR]
      subtitles_text: *languages`),
  },
  "too-large": {
    severity: "error",
    summary:
      "A JSON file has at most 48 MiB and 2,500,000 values, a YAML file at most 10 MiB and 500,000 lines.",
    explanation: prose(`
      That is room for more than ten thousand courses as JSON, and for some three thousand as YAML,
      which takes far longer to read. Larger files are refused, so that no file can take all the
      memory. Put the courses into several files, best one course a file, in a folder: check, create
      and push take folders.`),
  },
  unreadable: {
    severity: "error",
    summary: "The path leads to a file or folder that can be read.",
    explanation: prose(`
      There is no such file, the system does not let you read it, or it is neither a file nor a
      folder but, say, a pipe. Look at the spelling of the path and at the permissions. What another
      program writes can be read from standard input, which is called -.`),
  },
  "no-course": {
    severity: "error",
    summary: "The file or folder holds at least one course.",
    explanation: prose(`
      A file that is empty or all comments, or a folder without course files, is hardly what was
      meant. Course files end in .yaml, .yml or .json. In a folder, hidden folders and node_modules
      are left out, and so are package.json, package-lock.json, tsconfig.json and the settings of
      this command.`),
    wrong: "# The course will stand here.",
    right: example(`
      # The course stands here.
      name: Knitting for Beginners`),
  },
  "not-a-course": {
    severity: "error",
    summary: "A course is a mapping of fields.",
    explanation: prose(`
      A file holds one course, a list of courses, or several YAML documents with --- between them.
      Each course is a mapping: the name of a field, a colon and its value, field by field.`),
    wrong: "Knitting for Beginners",
    right: "name: Knitting for Beginners",
  },
  "duplicate-key": {
    severity: "error",
    summary: "A key stands only once in a mapping.",
    explanation: prose(`
      Of two values for one key, one would be lost without a word, and which one depends on the
      program that reads the file. Keep the one that is meant.`),
    wrong: example(`
      pace: self_paced
      level: [beginner]
      pace: instructor_paced`),
    right: example(`
      pace: self_paced
      level: [beginner]`),
  },
  "duplicate-id": {
    severity: "error",
    summary: "No two courses have the same id.",
    explanation: prose(`
      The service knows a course by its id. All files of one call count, and the finding names the
      place of the first course with this id. Most often a file was copied: take the id out of the
      copy, and one is chosen when the course is created.`),
    wrong: example(`
      id: 0b6ec7b5-6c8b-4a5e-9f1d-2f4c9b1e7a10
      name: Knitting for Beginners
      ---
      id: 0b6ec7b5-6c8b-4a5e-9f1d-2f4c9b1e7a10
      name: Sewing for Beginners`),
    right: example(`
      id: 0b6ec7b5-6c8b-4a5e-9f1d-2f4c9b1e7a10
      name: Knitting for Beginners
      ---
      name: Sewing for Beginners`),
  },
  "duplicate-url": {
    severity: "error",
    summary: "No two courses have the same url.",
    explanation: prose(`
      A course without an id is known by its url, so two with the same one could not be told apart.
      All files of one call count, and the finding names the place of the first course with this url.
      Most often a file was copied: give each course the address of its own page.`),
    wrong: example(`
      name: Knitting for Beginners
      url: https://academy.example/knitting
      ---
      name: Sewing for Beginners
      url: https://academy.example/knitting`),
    right: example(`
      name: Knitting for Beginners
      url: https://academy.example/knitting
      ---
      name: Sewing for Beginners
      url: https://academy.example/sewing`),
  },
  "too-many": {
    severity: "error",
    summary: "A file has at most 10,000 findings.",
    explanation: prose(`
      The rest of the file was not checked. So many findings come from one mistake that is made
      again and again, most often by the program that wrote the file. Mend the first ones and check
      again.`),
  },
} as const satisfies Partial<Record<RuleId, RuleGuide>>;

/** A list of lists, as many as are given, one inside another. */
function deep(lists: number): string {
  return example(`
    audio:
      ${"[".repeat(lists)}
      en
      ${"]".repeat(lists)}`);
}
