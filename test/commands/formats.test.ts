import { parse as parseCsv } from "csv-parse/sync";
import { load } from "js-yaml";
import { describe, expect, test } from "vitest";
import { fileCourse } from "../../src/files/write.ts";
import { PROVIDER_ID, rig } from "../rig.ts";
import { expectRefused, id, lines, numberedCourse, rigWith, storedCourses } from "./helpers.ts";

const RICH = numberedCourse(1, {
  name: 'Knitting, "purl"\nand more',
  prices: [{ type: "single_course", price: "49.90", currency: "EUR" }],
  certificate: { type: "free" },
  level: ["beginner", "advanced"],
});

async function two() {
  return await rigWith(RICH, numberedCourse(2, { published: false }));
}

describe("courses ls off a terminal", () => {
  test("prints the table's columns as tab-separated lines, with no header and nothing cut", async () => {
    const long = "A".repeat(500);
    const r = await rigWith(
      numberedCourse(1, { name: long }),
      numberedCourse(2, { published: false }),
    );
    const ran = await r.run(["courses", "ls"], { columns: 40 });
    expect(ran.stdout).toBe(
      `${id(1)}\t${long}\ttrue\tpending\n${id(2)}\tCourse 2\tfalse\tpending\n`,
    );
  });

  test("writes a tab as \\t, a newline as \\n and a backslash as \\\\", async () => {
    const r = await rigWith(numberedCourse(1, { name: "a\tb\nc\\d" }));
    expect((await r.run(["courses", "ls"])).stdout).toBe(
      `${id(1)}\ta\\tb\\nc\\\\d\ttrue\tpending\n`,
    );
  });

  test("prints json as one array with the API's own names and values", async () => {
    const r = await two();
    const ran = await r.run(["courses", "ls", "--json"]);
    expect(JSON.parse(ran.stdout)).toEqual(await storedCourses(r));
    expect((await r.run(["courses", "ls", "-o", "json"])).stdout).toBe(ran.stdout);
  });

  test("prints ndjson as one object per line", async () => {
    const r = await two();
    const ran = await r.run(["courses", "ls", "-o", "ndjson"]);
    expect(lines(ran.stdout).map((line) => JSON.parse(line))).toEqual(await storedCourses(r));
  });

  test("prints yaml as course files: without nulls, and without what only the service sets", async () => {
    const r = await two();
    const { stdout } = await r.run(["courses", "ls", "-o", "yaml"]);
    expect(load(stdout)).toEqual((await storedCourses(r)).map((course) => fileCourse(course)));
    expect(stdout).not.toMatch(/null|approval_status|slug/);
  });

  test("prints yaml with --fields as json does: every value, also null", async () => {
    const r = await two();
    const words = ["courses", "ls", "--fields", "id,slug,video,approval_status", "-o"];
    const yaml = load((await r.run([...words, "yaml"])).stdout);
    expect(yaml).toEqual(JSON.parse((await r.run([...words, "json"])).stdout));
  });

  test("prints csv with a header, and nested values as JSON", async () => {
    const r = await two();
    const { stdout } = await r.run(["courses", "ls", "-o", "csv"]);
    const [first, second] = parseCsv(stdout, { columns: true }) as Record<string, string>[];
    expect(stdout).toContain("\r\n");
    expect(first?.name).toBe(RICH.name);
    expect(JSON.parse(first?.prices ?? "")).toEqual(RICH.prices);
    expect(JSON.parse(first?.level ?? "")).toEqual(RICH.level);
    expect(second).toMatchObject({ id: id(2), published: "false", prices: "" });
  });

  test("prints one id per line with -o id", async () => {
    expect((await (await two()).run(["courses", "ls", "-o", "id"])).stdout).toBe(
      `${id(1)}\n${id(2)}\n`,
    );
  });
});

describe("courses ls on a terminal", () => {
  test("prints a table with a header that fits the width", async () => {
    const r = await rigWith(numberedCourse(1, { name: "編み物".repeat(40) }));
    const ran = await r.run(["courses", "ls"], {
      terminal: true,
      columns: 90,
      environment: { NO_COLOR: "1" },
    });
    const [header, row] = lines(ran.stdout);
    expect(header).toMatch(/^NAME +PUBLISHED +APPROVAL +ID$/);
    expect(row).toContain("…");
    expect(row).toContain(id(1));
    expect(row).toContain("yes");
    expect(row).toContain("pending");
  });

  test("has color, except with NO_COLOR or --no-color", async () => {
    const r = await two();
    const options = { terminal: true } as const;
    expect((await r.run(["courses", "ls"], options)).stdout).toContain("\x1b[");
    expect((await r.run(["courses", "ls", "--no-color"], options)).stdout).not.toContain("\x1b");
    const environment = { NO_COLOR: "1" };
    expect((await r.run(["courses", "ls"], { ...options, environment })).stdout).not.toContain(
      "\x1b",
    );
  });

  test.each(["json", "ndjson", "csv", "yaml", "id"])(
    "prints the same %s as in a pipe",
    async (format) => {
      const r = await rigWith(numberedCourse(1));
      const words = ["courses", "ls", "-o", format];
      const piped = await r.run(words);
      const shown = await r.run(words, { terminal: true });
      expect(shown.stdout).toBe(piped.stdout);
    },
  );
});

describe("courses ls without results", () => {
  test.each([
    ["json", "[]\n"],
    ["ndjson", ""],
    ["id", ""],
    ["yaml", "[]\n"],
  ])("prints an empty %s document and exits with 0", async (format, wanted) => {
    const ran = await (await rig()).run(["courses", "ls", "-o", format]);
    expect([ran.code, ran.stdout]).toEqual([0, wanted]);
  });

  test("prints only the header in csv", async () => {
    const ran = await (await rig()).run(["courses", "ls", "-o", "csv"]);
    expect(parseCsv(ran.stdout, { columns: true })).toEqual([]);
    expect(ran.stdout).toMatch(/^id,name,url,/);
  });

  test("prints nothing on stdout off a terminal", async () => {
    expect((await (await rig()).run(["courses", "ls"])).stdout).toBe("");
  });
});

describe("courses ls --fields", () => {
  test("selects and orders the fields in every format", async () => {
    const r = await rigWith(RICH);
    const words = ["courses", "ls", "--fields", "pace,id", "-o"];
    expect((await r.run(words.slice(0, 4))).stdout).toBe(`self_paced\t${id(1)}\n`);
    const row = { pace: "self_paced", id: id(1) };
    expect((await r.run([...words, "json"])).stdout.replace(/\s/g, "")).toBe(JSON.stringify([row]));
    expect((await r.run([...words, "ndjson"])).stdout).toBe(`${JSON.stringify(row)}\n`);
    expect(load((await r.run([...words, "yaml"])).stdout)).toEqual([row]);
    expect((await r.run([...words, "csv"])).stdout).toBe(`pace,id\r\nself_paced,${id(1)}\r\n`);
    const table = await r.run([...words, "table", "--no-color"], { terminal: true });
    expect(lines(table.stdout)[0]?.trim()).toMatch(/^PACE +ID$/);
  });

  test("accepts paths inside a field; missing values are empty or null", async () => {
    const r = await two();
    const words = ["courses", "ls", "--fields", "prices[0].currency,certificate.type"];
    expect((await r.run(words)).stdout).toBe("EUR\tfree\n\t\n");
    expect(JSON.parse((await r.run([...words, "--json"])).stdout)[1]).toEqual({
      "prices[0].currency": null,
      "certificate.type": null,
    });
  });

  test("is a usage error with a suggestion for an unknown field, before any request", async () => {
    const ran = await (await two()).run(["courses", "ls", "--fields", "id,nme"]);
    expectRefused(ran, 2);
    expect(ran.stderr).toContain("nme");
    expect(ran.stderr).toContain('Did you mean "name"?');
  });

  test("is a usage error without a field", async () => {
    expectRefused(await (await two()).run(["courses", "ls", "--fields", " , "]), 2);
  });
});

describe("providers ls", () => {
  test("lists the user's providers in every format", async () => {
    const r = await rig();
    const words = ["providers", "ls", "-o"];
    const [provider] = JSON.parse((await r.run([...words, "json"])).stdout);
    expect(provider).toEqual({
      id: PROVIDER_ID,
      name: "Example Academy",
      description: "",
      slug: "example-academy",
      url: "https://academy.example",
      domain: null,
      published: true,
    });
    expect((await r.run([...words, "id"])).stdout).toBe(`${PROVIDER_ID}\n`);
    expect(load((await r.run([...words, "yaml"])).stdout)).toEqual([provider]);
    const ran = await r.run(["providers", "ls"]);
    expect(ran.stdout).toContain(`${PROVIDER_ID}\tExample Academy\texample-academy`);
    expect(ran.requests).toEqual(["GET /developer/v1/providers"]);
  });
});

test("-o tsv prints what a pipe gets, also on a terminal", async () => {
  const r = await rigWith(numberedCourse(1, { name: "Tab\there \u202e" }), numberedCourse(2));
  for (const line of ["courses ls", "providers ls", "courses ls --fields id,name,published"]) {
    const piped = await r.run(line.split(" "));
    const named = await r.run([...line.split(" "), "-o", "tsv"], { terminal: true });
    expect([line, named.code, named.stdout]).toEqual([line, 0, piped.stdout]);
  }
  const got = await r.run(["courses", "get", id(1), "-o", "tsv", "--fields", "id,name"]);
  expect(got.stdout).toBe(`${id(1)}\tTab\\there \\u202e\n`);
});
