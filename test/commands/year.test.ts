/** A year in the life of 300 real courses that are kept as files: what their editors do, and what others change meanwhile. */
import { mkdir, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { v5 } from "uuid";
import { expect, test } from "vitest";
import { someOf } from "../long.ts";
import { compareCatalogs, countComments } from "./year-changes.ts";
import { yearFiles, yearProviders } from "./year-files.ts";
import { Year } from "./year-script.ts";

const FILES = yearFiles();
const PROVIDERS = yearProviders();
/** The providers in production: other ids, the same slugs. */
const PRODUCTION = PROVIDERS.map((provider) => ({
  ...provider,
  id: v5(provider.slug ?? "", v5.URL),
}));

type Edit = (text: string, name: string) => string;

/** An edit of the first files below a folder that it changes. */
function firstIn(folder: string, count: number, edit: Edit): Edit {
  let left = count;
  return (text, name) => {
    const edited = left > 0 && name.startsWith(`${folder}/`) ? edit(text, name) : text;
    if (edited !== text) left--;
    return edited;
  };
}

/** What happens in a step. */
type Step = (year: Year) => Promise<void>;

const january: Step = async (year) => {
  for (const { name, text } of FILES) await year.add(name, text);
  await year.run("catalog courses push courses", { POST: 300 });
  year.changeOnSite(() => ({ approval_status: "approved" }));
};

const february: Step = async (year) => {
  for (const { name, movedTo } of FILES) {
    const to = join(year.rig.folder, "courses", movedTo);
    await mkdir(dirname(to), { recursive: true });
    await rename(join(year.rig.folder, "courses", name), to);
  }
  await year.run("catalog courses push courses");
};

const marchWithIds: Step = async (year) => {
  const { files } = await year.run("catalog courses push courses/csdiy.wiki --write-ids");
  // One new line per file: its id.
  expect([files.changed.length, files.details]).toEqual([26, { "+": 26 }]);
  const renameUrl: Edit = (text) => text.replace("csdiy.wiki/", "csdiy.wiki/guide/");
  await year.edit(firstIn("csdiy.wiki", 20, renameUrl));
  const { changes } = await year.run("catalog courses push courses/csdiy.wiki", {
    PATCH: 20,
  });
  expect(changes.details).toEqual({ url: 20 });
};

const marchWithoutIds: Step = async (year) => {
  const renameUrl: Edit = (text) => text.replace("exercism.org/tracks/", "exercism.org/languages/");
  await year.edit(firstIn("exercism.org", 5, renameUrl));
  const planned = await year.run("catalog courses push courses/exercism.org --dry-run");
  const ids = [...planned.stderr.matchAll(/\(id (\S+)\) is in no file;/g)];
  expect(ids).toHaveLength(5);
  await year.run("catalog courses push courses/exercism.org --prune --yes", { code: 2 });
  const addId: Edit = (text, name) => {
    const id = ids.shift()?.[1];
    return name.endsWith(".json") ? text.replace("{", `{\n  "id": "${id}",`) : `${text}id: ${id}\n`;
  };
  await year.edit(firstIn("exercism.org", 5, addId));
  const { changes } = await year.run("catalog courses push courses/exercism.org", { PATCH: 5 });
  expect(changes.details).toEqual({ url: 5 });
};

const april: Step = async (year) => {
  await year.run("catalog courses ls --all -o csv --fields id,prices > prices.csv");
  const rows = (await year.read("prices.csv")).split("\n").slice(0, 201).join("\n");
  const raise = (_: string, price: string) => `""price"":""${(Number(price) + 5).toFixed(2)}""`;
  await year.rig.write("prices.csv", `${rows.replaceAll(/""price"":""([\d.]+)""/g, raise)}\n`);
  const updated = await year.run("catalog courses update prices.csv", { PATCH: 200 });
  expect(updated.changes.details).toEqual({ prices: 200 });
  const { files } = await year.run("catalog courses pull courses --force");
  // One line per file: the one with the price.
  expect([files.changed.length, files.details]).toEqual([200, { "+": 200, "-": 200 }]);
  await year.run("catalog courses push courses/csdiy.wiki courses/exercism.org");
};

const may: Step = async (year) => {
  const folder = "courses/projects.raspberrypi.org";
  const removeImage: Edit = (text) => text.replace(/^ *"?image_url"?:.*\r?\n/m, "");
  await year.edit(firstIn("projects.raspberrypi.org", 10, removeImage));
  await year.run(`catalog courses push ${folder}`);
  await year.run(`catalog courses push ${folder} --complete --dry-run`);
  const { changes } = await year.run(`catalog courses push ${folder} --complete`, { PATCH: 10 });
  expect(changes.details).toEqual({ image_url: 10 });
};

const june: Step = async (year) => {
  const begin = /^( *"?short_description"?: +(?:>-\r?\n +|")?)/m;
  await year.edit(firstIn("learn.microsoft.com", 10, (text) => text.replace(begin, "$1Neu! ")));
  await year.run("catalog courses diff courses/learn.microsoft.com --out plan.ndjson");
  const theirs = "Passen Sie eine App an.";
  year.changeOnSite(({ name }) =>
    name === "Anpassen einer App" ? { short_description: theirs } : undefined,
  );
  const ran = await year.run("catalog courses push --plan plan.ndjson", { code: 1, PATCH: 9 });
  expect(ran.changes.details).toEqual({ short_description: 9 });
  expect(ran.stderr).toContain(`is now "${theirs}"`);
  await year.run("catalog courses push --plan plan.ndjson", { code: 1 });
  const take: Edit = (text, name) =>
    name.includes("/customize-apps")
      ? text.replace(/^short_description:[^:]*(?=^long)/m, `short_description: ${theirs}\n`)
      : text;
  await year.edit(firstIn("learn.microsoft.com", 1, take));
  await year.run("catalog courses push courses/learn.microsoft.com");
};

const august: Step = async (year) => {
  const [files, catalog] = [await year.files(), year.catalog()];
  const wrongPrice: Edit = (text) => text.replace(/(price"?: ["'])[\d.]+/, "$10.00");
  await year.edit(firstIn("youtube.com", 64, wrongPrice));
  const bad = await year.run("catalog courses push courses/youtube.com", { PATCH: 64 });
  expect(bad.changes.details).toEqual({ prices: 64 });
  await year.run("catalog undo --yes", { PATCH: 64 });
  expect(compareCatalogs(catalog, year.catalog()).changed).toEqual([]);
  await year.edit((_, name) => files.get(name) ?? "");
  await year.run("catalog courses push courses/youtube.com");
};

const september: Step = async (year) => {
  const names = ["aprendendo-golang-pt-br", "astro-web-framework-crash-course-en"];
  for (const name of names) await year.remove(`youtube.com/${name}.yaml`);
  await year.remove("youtube.com/data-structure-ar.json");
  const one = "courses/youtube.com/arduino-programming-in-marathi-mr.yaml";
  await year.run(`catalog courses push ${one} --prune --yes`, { code: 2 });
  const prune = "catalog courses push courses/youtube.com --prune --yes";
  const { stderr } = await year.run(prune, { DELETE: 3 });
  expect(stderr).toContain("Deleted 3 courses. 61 were up to date.");
  await year.run("catalog undo --dry-run");
};

const december: Step = async (year) => {
  const production = await year.production(PRODUCTION);
  const push = "catalog courses push courses/exercism.org courses/learn.microsoft.com";
  await production.run(push, { code: 3 });
  const name: Edit = (text, file) =>
    /^(?:exercism|learn\.microsoft)/.test(file)
      ? text.replace(/provider_id("?: *"?)([\w-]{36})/, (_, between, id) => {
          return `provider${between}${PROVIDERS.find((it) => it.id === id)?.slug}`;
        })
      : text;
  await year.edit(name);
  await year.run(push);
  await production.run(push, { POST: 22 });
  const [ours, theirs] = [year.catalog(), production.catalog()];
  // Those whose files contain an id, and no others.
  expect([...ours.keys()].filter((id) => theirs.has(id))).toHaveLength(5);
  await production.run(push);
};

/** The steps, with their months. */
const STEPS: readonly (readonly [string, Step])[] = [
  ["January", january],
  ["February", february],
  ["March", marchWithIds],
  ["March", marchWithoutIds],
  ["April", april],
  ["May", may],
  ["June", june],
  ["August", august],
  ["September", september],
  ["December", december],
];

// The complete year in the long tests and in .ci/run; otherwise the first three months.
test("no step of the year loses a comment, a field or an approved course without a report", async () => {
  const year = await Year.start(PROVIDERS);
  for (const [month, step] of someOf(STEPS, 4)) {
    await year.begin(month);
    await step(year);
  }
  const left = [...(await year.files()).values()].map(countComments);
  expect(left.reduce((sum, count) => sum + count)).toBe(year.comments);
}, 240_000);
