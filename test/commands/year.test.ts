/** Four months of 300 real courses that are kept as files: what their editors do, and what is sent. */
import { mkdir, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { IS_LONG } from "../long.ts";
import { countComments } from "./year-changes.ts";
import { yearFiles, yearProviders } from "./year-files.ts";
import { Year } from "./year-script.ts";

const FILES = yearFiles();
const PROVIDERS = yearProviders();
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

const march: Step = async (year) => {
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
  await year.run("catalog courses push courses/csdiy.wiki");
};

test.runIf(IS_LONG)(
  "no step of the year loses a comment, a field or an approved course without a report",
  async () => {
    const year = await Year.start(PROVIDERS);
    for (const step of [january, february, march, april]) await step(year);
    const left = [...(await year.files()).values()].map(countComments);
    expect(left.reduce((sum, count) => sum + count)).toBe(year.comments);
  },
  240_000,
);
