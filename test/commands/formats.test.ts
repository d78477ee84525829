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

describe("off a terminal", () => {
  test("ls prints the columns of the table as tab-separated lines, without a header or shortened values", async () => {
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

  test("ls writes a tab as \\t, a newline as \\n and a backslash as \\\\ off a terminal", async () => {
    const r = await rigWith(numberedCourse(1, { name: "a\tb\nc\\d" }));
    expect((await r.run(["courses", "ls"])).stdout).toBe(
      `${id(1)}\ta\\tb\\nc\\\\d\ttrue\tpending\n`,
    );
  });

  test("ls --json prints one array with the field names and values of the API", async () => {
    const r = await two();
    const ran = await r.run(["courses", "ls", "--json"]);
    expect(JSON.parse(ran.stdout)).toEqual(await storedCourses(r));
    expect((await r.run(["courses", "ls", "-o", "json"])).stdout).toBe(ran.stdout);
  });

  test("ls -o ndjson prints one object per line", async () => {
    const r = await two();
    const ran = await r.run(["courses", "ls", "-o", "ndjson"]);
    expect(lines(ran.stdout).map((line) => JSON.parse(line))).toEqual(await storedCourses(r));
  });

  test("ls -o yaml prints course files without nulls and without fields that only the service sets", async () => {
    const r = await two();
    const { stdout } = await r.run(["courses", "ls", "-o", "yaml"]);
    expect(load(stdout)).toEqual((await storedCourses(r)).map((course) => fileCourse(course)));
    expect(stdout).not.toMatch(/null|approval_status|slug/);
  });

  test("ls -o yaml --fields prints every value as JSON does, including null", async () => {
    const r = await two();
    const words = ["courses", "ls", "--fields", "id,slug,video,approval_status", "-o"];
    const yaml = load((await r.run([...words, "yaml"])).stdout);
    expect(yaml).toEqual(JSON.parse((await r.run([...words, "json"])).stdout));
  });

  test("ls -o csv prints a header and nested values as JSON", async () => {
    const r = await two();
    const { stdout } = await r.run(["courses", "ls", "-o", "csv"]);
    const [first, second] = parseCsv(stdout, { columns: true }) as Record<string, string>[];
    expect(stdout).toContain("\r\n");
    expect(first?.name).toBe(RICH.name);
    expect(JSON.parse(first?.prices ?? "")).toEqual(RICH.prices);
    expect(JSON.parse(first?.level ?? "")).toEqual(RICH.level);
    expect(second).toMatchObject({ id: id(2), published: "false", prices: "" });
  });

  test("ls -o id prints one id per line", async () => {
    expect((await (await two()).run(["courses", "ls", "-o", "id"])).stdout).toBe(
      `${id(1)}\n${id(2)}\n`,
    );
  });
});

describe("on a terminal", () => {
  test("ls prints a table with a header that fits the width of the terminal", async () => {
    const r = await rigWith(numberedCourse(1, { name: "編み物".repeat(40) }));
    const ran = await r.run(["courses", "ls"], {
      terminal: true,
      columns: 90,
      environment: { NO_COLOR: "1" },
    });
    const [header, row] = lines(ran.stdout);
    expect(header).toMatch(/^NAME +PUB\S+ +APPROVAL +ID$/);
    expect(row).toContain("…");
    expect(row).toContain(id(1));
    expect(row).toContain("yes");
    expect(row).toContain("pending");
  });

  test("ls prints color on a terminal, except with NO_COLOR or --no-color", async () => {
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
    "ls prints the same %s on a terminal as in a pipe",
    async (format) => {
      const r = await rigWith(numberedCourse(1));
      const words = ["courses", "ls", "-o", format];
      const piped = await r.run(words);
      const shown = await r.run(words, { terminal: true });
      expect(shown.stdout).toBe(piped.stdout);
    },
  );
});

describe("no results", () => {
  test("ls -o csv prints only the header if there are no courses", async () => {
    const ran = await (await rig()).run(["courses", "ls", "-o", "csv"]);
    expect(parseCsv(ran.stdout, { columns: true })).toEqual([]);
    expect(ran.stdout).toMatch(/^id,name,url,/);
  });

  test("ls prints nothing on stdout off a terminal if there are no courses", async () => {
    expect((await (await rig()).run(["courses", "ls"])).stdout).toBe("");
  });
});

describe("--fields", () => {
  test("ls --fields selects and orders the fields in every format", async () => {
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

  test("ls --fields accepts paths inside a field and prints missing values as empty or null", async () => {
    const r = await two();
    const words = ["courses", "ls", "--fields", "prices[0].currency,certificate.type"];
    expect((await r.run(words)).stdout).toBe("EUR\tfree\n\t\n");
    expect(JSON.parse((await r.run([...words, "--json"])).stdout)[1]).toEqual({
      "prices[0].currency": null,
      "certificate.type": null,
    });
  });

  test("ls exits with 2 for --fields without a field", async () => {
    expectRefused(await (await two()).run(["courses", "ls", "--fields", " , "]), 2);
  });
});

describe("providers", () => {
  test("providers ls lists the providers of the user in every format", async () => {
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

test("-o tsv prints the same lines on a terminal as in a pipe", async () => {
  const r = await rigWith(numberedCourse(1, { name: "Tab\there \u202e" }), numberedCourse(2));
  for (const line of ["courses ls", "providers ls", "courses ls --fields id,name,published"]) {
    const piped = await r.run(line.split(" "));
    const named = await r.run([...line.split(" "), "-o", "tsv"], { terminal: true });
    expect([line, named.code, named.stdout]).toEqual([line, 0, piped.stdout]);
  }
  const got = await r.run(["courses", "get", id(1), "-o", "tsv", "--fields", "id,name"]);
  expect(got.stdout).toBe(`${id(1)}\tTab\\there \\u202e\n`);
});
