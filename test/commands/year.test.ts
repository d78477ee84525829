/** A year of a provider's catalog as files: docs/year.md shows the same steps with their output. */
import { mkdir, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { v5 } from "uuid";
import { expect, test } from "vitest";
import { PROVIDER_ID } from "../rig.ts";
import { compareCatalogs, countComments } from "./year-changes.ts";
import { yearFiles } from "./year-files.ts";
import { Year } from "./year-script.ts";
import { INTRODUCTION, TEXTS } from "./year-texts.ts";

const FILES = yearFiles();
/** The provider in production: another id, the same slug. */
const PRODUCTION_ID = "2c7fb0a1-6a51-4e5c-9d0a-6f3f6b0f6d11";

type Edit = (text: string, name: string) => string;

/** An edit of the first files below a folder. */
function firstIn(folder: string, count: number, edit: Edit): Edit {
  let left = count;
  return (text, name) => (name.startsWith(`${folder}/`) && left-- > 0 ? edit(text, name) : text);
}

/** What happens in a step. */
type Step = (year: Year) => Promise<void>;

const renameUrl: Edit = (text) => text.replace(/academy\.example\/(?!images)/, "$&courses/");

const january: Step = async (year) => {
  for (const { name, text } of FILES) await year.add(name, text);
  await year.run("catalog courses push courses", { POST: 300 });
  year.changeOnSite(() => ({ approval_status: "approved" }));
};

const february: Step = async (year) => {
  for (const { name, subject } of FILES) {
    const to = join(year.rig.folder, "courses", subject, name.replace(`${subject}-`, ""));
    await mkdir(dirname(to), { recursive: true });
    await rename(join(year.rig.folder, "courses", name), to);
  }
  await year.run("catalog courses push courses");
};

const marchWithIds: Step = async (year) => {
  const { files } = await year.run("catalog courses push courses/music --write-ids");
  // One new line per file: its id.
  expect([files.changed.length, files.details]).toEqual([30, { "+": 30 }]);
  await year.edit(firstIn("music", 20, renameUrl));
  const { changes } = await year.run("catalog courses push courses/music", { PATCH: 20 });
  expect(changes.details).toEqual({ url: 20 });
};

const marchWithoutIds: Step = async (year) => {
  await year.edit(firstIn("food", 5, renameUrl));
  const planned = await year.run("catalog courses push courses/food --dry-run");
  const ids = [...planned.stderr.matchAll(/which no file describes \(id (\S+)\);/g)];
  expect(ids).toHaveLength(5);
  await year.run("catalog courses push courses --prune --yes", { code: 3 });
  year.write(TEXTS.addIds);
  await year.edit(firstIn("food", 5, (text) => `${text}id: ${ids.shift()?.[1]}\n`));
  const { changes } = await year.run("catalog courses push courses/food", { PATCH: 5 });
  expect(changes.details).toEqual({ url: 5 });
};

const april: Step = async (year) => {
  await year.run("catalog courses ls --all -o csv --fields id,prices > prices.csv");
  const rows = (await year.read("prices.csv")).split("\n").slice(0, 201).join("\n");
  const raise = (_: string, price: string) => `""price"":""${(Number(price) + 5).toFixed(2)}""`;
  await year.rig.write("prices.csv", `${rows.replaceAll(/""price"":""([\d.]+)""/g, raise)}\n`);
  const updated = await year.run("catalog courses update prices.csv", { PATCH: 200 });
  expect(updated.changes.details).toEqual({ prices: 200 });
  year.write(TEXTS.pull);
  const { files } = await year.run("catalog courses pull courses --force");
  // One line per file: the one with the price.
  expect([files.changed.length, files.details]).toEqual([200, { "+": 200, "-": 200 }]);
  await year.run("catalog courses push courses/crafts courses/history");
};

const may: Step = async (year) => {
  await year.edit(firstIn("gardening", 10, (text) => text.replace(/^image_url:.*\r?\n/m, "")));
  await year.run("catalog courses push courses/gardening");
  await year.run("catalog courses push courses/gardening --complete --dry-run");
  const { changes } = await year.run("catalog courses push courses/gardening --complete", {
    PATCH: 10,
  });
  expect(changes.details).toEqual({ image_url: 10 });
};

const june: Step = async (year) => {
  const rewrite: Edit = (text) => text.replace(/^(short_description: +["']?)/m, "$1New! ");
  await year.edit(firstIn("science", 10, rewrite));
  await year.run("catalog courses diff courses/science --out plan.json");
  year.write(TEXTS.colleague);
  year.changeOnSite(({ name }) =>
    name === "Astronomy Basics" ? { short_description: "Look up!" } : undefined,
  );
  const ran = await year.run("catalog courses push --plan plan.json", { code: 1, PATCH: 9 });
  expect(ran.changes.details).toEqual({ short_description: 9 });
  expect(ran.stderr).toContain('is now "Look up!"');
  await year.run("catalog courses push --plan plan.json", { code: 1 });
  year.write(TEXTS.takeOver);
  const theirs: Edit = (text) => text.replace(/New! Astronomy, [\w ]+\./, "Look up!");
  await year.edit(firstIn("science", 1, theirs));
  await year.run("catalog courses push courses/science");
};

const august: Step = async (year) => {
  const [files, catalog] = [await year.files(), year.catalog()];
  const wrongPrice: Edit = (text, name) =>
    /^(?:languages|writing)\//.test(name)
      ? text.replace(/(price: ["'])[\d.]+/, (_, start) => `${start}0.00`)
      : text;
  await year.edit(wrongPrice);
  const bad = await year.run("catalog courses push courses/languages courses/writing", {
    PATCH: 60,
  });
  expect(bad.changes.details).toEqual({ prices: 60 });
  await year.run("catalog undo --yes", { PATCH: 60 });
  expect(compareCatalogs(catalog, year.catalog()).changed).toEqual([]);
  year.write(TEXTS.checkout);
  await year.edit((_, name) => files.get(name) ?? "");
  await year.run("catalog courses push courses/languages courses/writing");
};

const september: Step = async (year) => {
  const names = ["1-basics", "2-workshop", "3-in-a-week"];
  for (const name of names) await year.remove(`history/${name}.yaml`);
  await year.run("catalog courses push courses/history --prune --yes", { code: 2 });
  year.write(TEXTS.allFiles);
  const { stderr } = await year.run("catalog courses push courses --prune --yes", {
    DELETE: 3,
  });
  expect(stderr).toContain("297 unchanged and 3 deleted");
  year.write(TEXTS.undoDryRun);
  await year.run("catalog undo --dry-run");
};

const december: Step = async (year) => {
  const production = await year.production(PRODUCTION_ID);
  await production.run("catalog courses push courses/food courses/music", { POST: 60 });
  const [ours, theirs] = [year.catalog(), production.catalog()];
  const same = [...ours.keys()].filter((id) => theirs.has(id));
  // Those whose files contain an id, and no others.
  expect(same).toHaveLength(35);
  const url = "https://academy.example/food-5-workshop";
  expect([ours.get(v5(url, PROVIDER_ID))?.url, theirs.get(v5(url, PRODUCTION_ID))?.url]).toEqual([
    url,
    url,
  ]);
  await production.run("catalog courses push courses/food courses/music");
};

const STEPS: Readonly<Record<keyof typeof TEXTS.steps, Step>> = {
  ...{ january, february, marchWithIds, marchWithoutIds, april, may, june, august, september },
  december,
};

test("year: no step loses a comment, a field or an approved course without reporting it", async () => {
  const year = await Year.start();
  year.write(INTRODUCTION);
  for (const [name, { heading, text }] of Object.entries(TEXTS.steps)) {
    await year.begin(heading, text);
    await STEPS[name as keyof typeof TEXTS.steps](year);
  }
  year.write(TEXTS.end);
  await year.run("catalog history");

  const left = [...(await year.files()).values()].map(countComments);
  expect(left.reduce((sum, count) => sum + count)).toBe(year.comments);
  await expect(year.document).toMatchFileSnapshot("../../docs/year.md");
}, 240_000);
