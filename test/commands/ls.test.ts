import { expect, test } from "vitest";
import { PROVIDER_ID } from "../rig.ts";
import { id, lines, numberedCourse, PROVIDERS, rigWith, unreliableService } from "./helpers.ts";

const courses = [
  numberedCourse(1, { name: "b", approval_status: "approved", duration_in_hours: 10 }),
  numberedCourse(2, { name: "B 10", approval_status: "odd one", published: false }),
  numberedCourse(3, { name: "B 2", published: false, duration_in_hours: 0.5 }),
  numberedCourse(4, { name: "A Knit", duration_in_hours: 9 }),
];

test.each([
  ["--name nit", [4]],
  ["--name knit", []],
  ["--published true", [1, 4]],
  ["--published false", [2, 3]],
  [`--id ${id(2).toUpperCase()}`, [2]],
  ["--approval pending", [3, 4]],
  ["--approval none", []],
  ["--url HTTPS://Academy.example/2/", [2]],
  ["--sort name", [4, 1, 3, 2]],
  ["--sort -name", [2, 3, 1, 4]],
  ["--sort duration_in_hours", [3, 4, 1, 2]],
  ["--sort name --limit 2 --offset 1", [1, 3]],
  ["--approval pending --limit 1", [3]],
  ["--offset 1 --limit 1", [2]],
  ["--offset 9", []],
  ["--name B --published false", [2, 3]],
])("ls %s lists the courses %j", async (words, numbers) => {
  const ran = await (await rigWith(...courses)).run(`courses ls -o id ${words}`);
  const found = lines(ran.stdout).map((line) => Number(line.slice(-1)));
  expect([ran.code, found]).toEqual([0, numbers]);
});

test.each(["example-academy", "academy.example", "Example Academy"])(
  "ls --provider accepts a slug, domain or name: %s",
  async (word) => {
    const r = await rigWith(...courses);
    const ran = await r.run(["courses", "ls", "--provider", word]);
    const listed = expect.stringContaining(`provider_id=${PROVIDER_ID}`);
    expect(ran.requests).toEqual([PROVIDERS, listed]);
    expect(lines(ran.stdout)).toHaveLength(4);
  },
);

/** A catalog of many courses; the tenth of each page is pending. */
const many = async (count: number) => {
  const statuses = Array.from({ length: count }, (_, n) =>
    n % 100 === 10 ? "pending" : "approved",
  );
  return await rigWith(
    ...statuses.map((approval_status, n) => numberedCourse(n, { approval_status })),
  );
};

test.each([
  ["", 100, ["limit=100&offset=0", "limit=2&offset=99"]],
  ["--limit 1", 1, ["limit=2&offset=0"]],
  ["--limit 99", 99, ["limit=100&offset=0"]],
  ["--limit 101", 101, ["limit=100&offset=0", "limit=3&offset=99"]],
  ["--limit 230", 230, ["limit=100&offset=0", "limit=100&offset=99", "limit=33&offset=198"]],
])(
  "ls lists 100 courses by default or as many as --limit says, in pages of up to 100 courses: %s",
  async (flags, count, pages) => {
    const ran = await (await many(250)).run(`courses ls -o id ${flags}`.trim());
    expect([lines(ran.stdout).length, new Set(lines(ran.stdout)).size]).toEqual([count, count]);
    expect(ran.requests).toEqual(pages.map((page) => `GET /developer/v1/courses?${page}`));
  },
);

test("ls --all ends only at a short page and lists every course once", async () => {
  const ran = await (await many(300)).run("courses ls --all -o id");
  expect([lines(ran.stdout).length, new Set(lines(ran.stdout)).size]).toEqual([300, 300]);
  expect(ran.requests).toContain("GET /developer/v1/courses?limit=100&offset=297");
});

const complete = "4 courses: 2 published, 2 pending\n";

test.each([
  ["", complete],
  ["--all", complete],
  ["--limit 4", complete],
  ["--limit 2 --offset 2", "2 courses from offset 2: 1 published, 2 pending\n"],
  [
    "--limit 2",
    "2 courses: 1 published, 0 pending. There are more. For all: --all; for the next page: --offset 2\n",
  ],
  ["--limit 9 --approval Pending", "2 courses: 1 published, 2 pending\n"],
  ["--offset 9", "No courses from offset 9.\n"],
  ["--name zzz", "No courses match the flags.\n"],
  ["--name zzz --offset 9", "No courses from offset 9 match the flags.\n"],
  ["--name zzz --quiet", ""],
  ["--quiet", ""],
])("ls %s counts on stderr what it listed, and says if there is more", async (words, expected) => {
  const r = await rigWith(...courses);
  for (const terminal of [false, true]) {
    const ran = await r.run(`courses ls ${words}`.trim(), { terminal, columns: 200 });
    expect(ran.stderr).toBe(expected);
  }
});

test("ls --approval with --limit and --offset ends at the page with the next such course", async () => {
  const flags = "--approval pending --limit 2 --offset 1 --concurrency 1";
  const ran = await (await many(500)).run(`courses ls -o id ${flags}`);
  expect(lines(ran.stdout)).toEqual([id(110), id(210)]);
  expect(ran.stderr).toContain("There are more.");
  expect(ran.requests).toHaveLength(4);
});

test.each(["", " --approval pending"])(
  "ls --sort reads every page, with and without a filter:%s",
  async (filter) => {
    const r = await many(311);
    const ran = await r.run(`courses ls -o id --sort -name --limit 1${filter}`);
    expect(lines(ran.stdout)).toEqual([id(310)]);
    expect(ran.requests.length).toBeGreaterThan(3);
  },
);

test.each(["ndjson", "csv", "id", "json"])(
  "ls -o %s prints each page as it arrives, completely",
  async (format) => {
    const r = await many(250);
    const { environment } = await unreliableService(r, ({ url }) =>
      url.includes("offset=99") ? { status: 400 } : "pass",
    );
    const { code, stdout } = await r.run(`courses ls --all -o ${format}`, { environment });
    expect([code, stdout.includes(id(99)), stdout.includes(id(100))]).toEqual([1, true, false]);
    if (format === "json") expect(JSON.parse(stdout)).toHaveLength(100);
  },
);
