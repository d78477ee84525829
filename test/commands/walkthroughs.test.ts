/** Every command of the documents is run as a reader would paste it, page by page. */
import { readdirSync, readFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { MAPPING_FUNCTIONS } from "../../src/import/mapping-functions.ts";
import { DEFAULT_KEY, DEFAULT_PROVIDER } from "../../src/sandbox/seed.ts";
import { IS_LONG } from "../long.ts";
import { rig } from "../rig.ts";
import { id } from "./helpers.ts";
import { blocksOf, followPage, type Guide } from "./page-reader.ts";
import { SCHOOL } from "./push-files.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** A course file of Example Academy or, with its host, of Example School. */
function craft(name: string, host = "academy"): string {
  return `name: ${name[0]?.toUpperCase()}${name.slice(1)} for Beginners
url: https://${host}.example/${name}
provider: example-${host}
short_description: Learn ${name} in six evenings.
long_description: A calm introduction to ${name} for beginners.
audio: [en]
pace: self_paced
`;
}

/** Course files by their paths. */
function crafts(...names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [`courses/${name}.yaml`, craft(name)]));
}

const CRAFTS = crafts("knitting", "sewing", "weaving");
const PROVIDERS = JSON.stringify([DEFAULT_PROVIDER, SCHOOL]);
/** The key of a second user. */
const PRODUCTION_KEY = "production.fedcba9876543210";

const PUSH = "catalog courses push courses/ --quiet";
const COMMIT = "git init -q -b main && git add courses && git commit -q -m Courses";
/** Forgets the connection to the sandbox, but for a later login. */
const KEEP_CONNECTION =
  "base=$CATALOG_BASE_URL key=$CATALOG_API_KEY; unset CATALOG_BASE_URL CATALOG_API_KEY";

/** A login without a terminal. */
function loginTo(base: string, key: string, flags = ""): string {
  return `printf %s "${key}" | catalog login --with-key --base-url "${base}" ${flags}`;
}

/** More fields of a course. */
const PRICES = 'prices: [{ type: single_course, price: "49.90", currency: EUR }]\n';
const VIDEO = "video: { type: youtube, id: dQw4w9WgXcQ }\n";

/** A change of a course file, as a reader makes it in an editor. */
function edit(name: string, from: string, to: string): string {
  const file = `courses/${name}.yaml`;
  return `sed -i.bak 's|${from}|${to}|' ${file} && rm ${file}.bak`;
}

/** Completes empty lines of the draft of a mapping, as a reader does in an editor. */
function complete(name: string, lines: Readonly<Record<string, string>>): string {
  const edits = Object.entries(lines).map(
    ([field, value]) => `s#"${field}": \\(""\\|\\[\\]\\)#"${field}": ${value}#`,
  );
  return `sed -i.bak '${edits.join("; ")}' ${name}.jsonata`;
}

/** A change of a course that a colleague makes on another machine. */
function colleague(text: string): string {
  const flags = `--short-description '${text}' --quiet --no-record`;
  return `catalog courses update https://academy.example/knitting ${flags}`;
}

function readExample(name: string): string {
  return readFileSync(join(ROOT, "examples", name), "utf8");
}

/** The set-up of each page by the name of its file. */
const SETUPS: Readonly<Record<string, Guide>> = {
  "check-and-fix.md": {
    files: { "courses/sourdough.yaml": readExample("broken.yaml") },
    earlier: COMMIT,
    before: {
      "catalog courses check courses/":
        "sed -i 's/currency: EURO/currency: EUR/' courses/*.yaml; grep -q ^provider: courses/*.yaml || echo 'provider: example-academy' >> courses/sourdough.yaml",
    },
  },
  "delete-courses.md": {
    files: {
      ...crafts("knitting", "sewing", "weaving", "dyeing", "felting", "quilting", "lace"),
      ...crafts("spinning", "crochet", "embroidery"),
      "courses/drawing.yaml": craft("drawing", "school"),
    },
    earlier: PUSH,
    before: {
      "catalog courses push courses/ --prune --yes # exits with 2 because a course may have moved":
        edit("quilting", "example/quilting", "example/quilts"),
      "catalog courses push courses/ --prune --yes":
        'echo "id: $(catalog courses ls --url https://academy.example/quilting -o id)" >> courses/quilting.yaml',
    },
    answers: {
      "catalog courses rm https://academy.example/weaving": "y\n",
      "catalog courses push courses/ --prune": "y\n",
      "catalog courses push courses/ --prune --provider example-school": "y\n",
      "catalog courses push --prune --provider example-academy --max-deletes 100%": "7\n",
      "catalog undo": "y\n",
    },
  },
  "edit-in-a-spreadsheet.md": {
    files: { ...CRAFTS, "courses/sewing.yaml": craft("sewing") + PRICES },
    earlier: PUSH,
    before: {
      // What a reader edits in the workbook is here what it has in common with a later state of the catalog.
      "catalog courses ls --all --out courses.xlsx": colleague("Edited in a workbook."),
      "catalog courses diff courses.xlsx": colleague("Learn knitting in six evenings."),
      "catalog courses update prices.csv --dry-run": "sed -i.bak s/49.90/59.90/ prices.csv",
    },
  },
  "for-editors.md": {
    files: { ...CRAFTS, "courses/sewing.yaml": craft("sewing") + PRICES },
    earlier: PUSH,
    answers: { "catalog undo": "y\n" },
  },
  "import-from-another-system.md": {
    seed: JSON.parse(readExample("providers.json")),
    files: {},
    copied: join(ROOT, "examples/import"),
    before: {
      "catalog courses import moodle.csv --map moodle.jsonata --out courses": complete("moodle", {
        long_description: 'fullname \\& ". " \\& $plainText(summary)',
        pace: '"self_paced"',
      }),
      "catalog courses import wordpress.json --map wordpress.jsonata --out courses": complete(
        "wordpress",
        { pace: '"self_paced"' },
      ),
      "catalog courses import openedx.json --from results --map openedx.jsonata --out courses":
        complete("openedx", {
          url: '"https://swcarpentry.github.io/" \\& $lowercase(number)',
          long_description: "short_description",
          audio: '["en"]',
          pace: 'pacing \\& "_paced"',
        }),
    },
  },
  "install.md": {
    instead: {
      "catalog login": loginTo("$CATALOG_BASE_URL", "$CATALOG_API_KEY"),
      "printenv API_KEY | catalog login --with-key --base-url https://api.catalog.example":
        'API_KEY=$CATALOG_API_KEY printenv API_KEY | catalog login --with-key --base-url "$CATALOG_BASE_URL"',
    },
  },
  "keep-files-and-catalog-in-sync.md": {
    earlier: `${PUSH} && mv courses old`,
    before: {
      "catalog courses pull courses/ --dry-run # exits with 1 if a file differs": colleague(
        "A scarf in six evenings.",
      ),
      "catalog courses pull courses/ --prune --dry-run":
        "catalog courses rm https://academy.example/weaving --yes --quiet",
      "catalog courses diff courses/ --complete":
        "catalog courses update https://academy.example/sewing --quiet --set image_url=https://academy.example/a.png",
    },
  },
  "rehearse-in-a-sandbox.md": {
    files: { ...CRAFTS, "providers.json": PROVIDERS },
    earlier: "id=$(catalog courses create courses/knitting.yaml)",
    instead: {
      // They would run until Ctrl-C, and for the rest of the page.
      "catalog sandbox --seed providers.json": "catalog sandbox --seed providers.json -- true",
      "unset CATALOG_BASE_URL CATALOG_API_KEY": "(unset CATALOG_BASE_URL CATALOG_API_KEY)",
    },
  },
  "review-changes.md": {
    earlier: `${PUSH} && ${edit("sewing", "six", "seven")}`,
    before: {
      "catalog courses diff courses/ --out plan.ndjson --report html=review.html": edit(
        "weaving",
        "six",
        "seven",
      ),
      "catalog courses diff --plan reviewed.ndjson": `sed '1s/}$/,"review":{"by":"Ada","at":"2026-01-31T12:30:00Z","refused":[]}}/' plan.ndjson > reviewed.ndjson`,
      "catalog courses diff courses/ --out plan.ndjson": edit("knitting", "six", "seven"),
      "catalog courses push --plan plan.ndjson # exits with 1 because a course is stale": colleague(
        "A scarf in six evenings.",
      ),
    },
  },
  "sandbox.md": {
    files: {
      "publish.sh": "catalog courses ls\n",
      "old/providers.json": PROVIDERS,
      "old/courses/knitting.yaml": craft("knitting"),
      "providers.json": PROVIDERS,
      ...CRAFTS,
    },
    earlier: `id=$(printf %s '${craft("knitting")}' | catalog courses create - --quiet)`,
  },
  "troubleshooting.md": {
    earlier: PUSH,
    before: {
      'echo "settings.json" >> courses/.catalogignore': `printf %s '{ "theme": "dark", "size": 12 }' > courses/settings.json`,
    },
    instead: { "export CATALOG_BASE_URL=https://api.catalog.example": "true" },
  },
  "work-with-single-courses.md": {
    files: { ...CRAFTS, "intro.yaml": craft("intro") + PRICES + VIDEO },
  },
  "undo-a-push.md": {
    earlier: `${COMMIT} && ${PUSH} && ${edit("knitting", "six", "seven")} && ${edit("sewing", "six", "seven")} && ${PUSH}`,
    before: {
      "catalog history": `${edit("knitting", "six", "nine")} && ${edit("sewing", "six", "nine")} && ${PUSH} && catalog courses unpublish https://academy.example/weaving --quiet`,
      "catalog undo --yes # exits with 1 because a course has changed since": colleague("A scarf."),
    },
    instead: {
      "catalog history 20260131-120000000-1a2b3c":
        'run=$(catalog history --fields run,command | grep push | head -n 1 | cut -f 1) && catalog history "$run"',
      "catalog undo 20260131-120000000-1a2b3c --yes": 'catalog undo "$run" --yes',
    },
    answers: { "catalog undo": "y\n" },
  },
  "use-several-environments.md": {
    seed: {
      users: [
        { key: DEFAULT_KEY, providers: [DEFAULT_PROVIDER] },
        { key: PRODUCTION_KEY, providers: [{ ...DEFAULT_PROVIDER, id: id(7) }] },
      ],
    },
    earlier: KEEP_CONNECTION,
    instead: {
      "catalog login --profile staging": loginTo("$base", "$key", "--profile staging"),
      "catalog login --profile production": loginTo(
        "$base",
        PRODUCTION_KEY,
        "--profile production",
      ),
    },
  },
  "work-in-a-team.md": {
    earlier: `${COMMIT} && git update-ref refs/remotes/origin/main HEAD && ${PUSH} && ${edit("knitting", "calm", "quick")} && ${colleague("A scarf.")}`,
    before: {
      "catalog courses diff courses/ --base courses/ --exit-code # exits with 7 if there was a change":
        colleague("A warm scarf."),
      "catalog courses push courses/team-03 --profile team-03":
        "mkdir courses/team-03 && mv courses/sewing.yaml courses/team-03",
    },
    instead: {
      "catalog login --profile team-03": loginTo(
        "$CATALOG_BASE_URL",
        "$CATALOG_API_KEY",
        "--profile team-03",
      ),
    },
  },
};

/** Lines that no guide's test runs, and why. A key that ends with ` …` stands for the block that it begins. */
const NOT_RUN: Readonly<Record<string, string>> = {
  "npm ci && npm pack": "package.test.ts packs the program",
  "npm install --global ./course-catalog-cli-*.tgz": "workflows.test.ts installs the package",
  "npm ci && npm pack && docker build --tag catalog .": "needs Docker",
  'docker run --rm --volume "$PWD:/work" catalog courses check examples/courses': "needs Docker",
  "docker run --rm --env CATALOG_BASE_URL --env CATALOG_API_KEY catalog courses ls": "needs Docker",
  "npm uninstall --global course-catalog-cli": "changes the machine",
  "catalog courses check --watch courses/": "runs until Ctrl-C; see check-watch.test.ts",
  "catalog courses preview courses/": "writes outside of the folder; see preview.test.ts",
  "for team in team01 team02 team03; do …": "github.test.ts runs this loop",
  "head -n 1 reviewed.ndjson | grep -q '\"review\":{'": "github.test.ts runs reviewed.yaml with it",
  "catalog courses push --plan reviewed.ndjson --yes": "github.test.ts runs reviewed.yaml with it",
  "catalog sandbox": "runs until Ctrl-C; see sandbox.test.ts",
  "catalog sandbox --approve-after 2": "runs until Ctrl-C; see moderation.test.ts",
  "catalog sandbox --approve-after 0 --approve-as rejected":
    "runs until Ctrl-C; see moderation.test.ts",
};

const GUIDES = readdirSync(join(ROOT, "docs/how-to")).map((name) => `how-to/${name}`);
const PAGES = [...GUIDES, "exit-codes.md", "sandbox.md", "troubleshooting.md"];
const readPage = (name: string): string => readFileSync(join(ROOT, "docs", name), "utf8");

test.runIf(IS_LONG).each(PAGES)(
  "the commands of docs/%s do what they are for, in the order of the page",
  async (name) => {
    const guide = SETUPS[basename(name)];
    await followPage(readPage(name), { files: CRAFTS, ...guide }, NOT_RUN);
  },
  60_000,
);

test("every line that the tests of documents do not run is in a document", () => {
  const pages = PAGES.map(readPage).join("\n");
  const lines = Object.keys(NOT_RUN).map((line) => line.replace(" …", ""));
  expect(lines.filter((line) => !pages.includes(line))).toEqual([]);
});

/** A section of the README, without its heading. */
function readmeSection(heading: string): string {
  const readme = readFileSync(join(ROOT, "README.md"), "utf8");
  return readme.split(`\n## ${heading}\n`)[1]?.split("\n## ")[0] ?? "";
}

/** The files of the examples by their paths in the repository. */
function examples(): Record<string, string> {
  const found = readdirSync(join(ROOT, "examples"), { recursive: true, withFileTypes: true });
  const paths = found.flatMap((entry) =>
    entry.isFile() ? [join(entry.parentPath, entry.name)] : [],
  );
  return Object.fromEntries(
    paths.map((path) => [relative(ROOT, path), readFileSync(path, "utf8")]),
  );
}

test.runIf(IS_LONG)(
  "the commands of “Try it in a minute” in the README create 14 courses and delete them",
  async () => {
    const page = readmeSection("Try it in a minute").replace(
      "broken.yaml #",
      "broken.yaml # exits with 3:",
    );
    await followPage(
      page,
      {
        seed: JSON.parse(readExample("providers.json")),
        files: examples(),
        answers: { "catalog undo": "14\n" },
      },
      {
        "npm ci && npm run demo": "installs packages, and runs all of examples/demo.sh",
        "npm ci && npm test": "installs packages, and runs the tests",
        'alias catalog="node $PWD/bin/catalog.js"': "the shell of the tests has catalog",
        "catalog sandbox --seed examples/providers.json":
          "runs until Ctrl-C; the tests have a sandbox",
      },
    );
  },
);

test.runIf(IS_LONG)(
  "the lines of “Your first course” in the README create a course of a new user, and undo it",
  async () => {
    await followPage(readmeSection("Your first course"), {
      earlier: KEEP_CONNECTION,
      instead: {
        "catalog login": loginTo("$base", "$key"),
        "vi courses/intro.yaml": [
          edit("intro", "Replace this with a language code", "en"),
          edit("intro", "Replace this with the slug of your provider", "example-academy"),
          edit("intro", "eplace.this", "ntroduction"),
        ].join(" && "),
      },
      answers: { "catalog undo": "y\n" },
    });
  },
);

const IMPORT_GUIDE = "how-to/import-from-another-system.md";

test(`the table of docs/${IMPORT_GUIDE} has every function of mappings`, () => {
  const rows = readPage(IMPORT_GUIDE).matchAll(/^\| `\$(\w+)\(x[^)]*\)` \|/gm);
  const listed = Array.from(rows, ([, name]) => name);
  expect(listed.sort()).toEqual(Object.keys(MAPPING_FUNCTIONS).sort());
});

test(`import accepts the recipes of docs/${IMPORT_GUIDE}`, async () => {
  const r = await rig();
  const row = "A;eins;präsenz;Profis;fertig;extern;49,90 €";
  await r.write("a.csv", `Titel;Untertitel;Kursart;Zielgruppe;Status;Art;Preis\n${row}\n`);
  const recipes = blocksOf(readPage(IMPORT_GUIDE)).filter(({ kind }) => kind === "jsonata");
  for (const { text } of recipes) {
    await r.write("a.jsonata", text);
    const words = ["courses", "import", "a.csv", "--map", "a.jsonata", "--format", "json"];
    expect(JSON.parse((await r.run(words)).stdout)).toMatchObject([{ name: "A" }]);
  }
});
