/** What `catalog __complete` prints for the last word of an unfinished line. */
import { beforeEach, describe, expect, test } from "vitest";
import { FIELDS } from "../../src/course/fields.ts";
import { RULES } from "../../src/course/problem.ts";
import { parseSeed } from "../../src/sandbox/seed.ts";
import {
  course,
  PROVIDER_ID,
  type Rig,
  type RunOptions,
  type RunResult,
  rig,
  testClock,
} from "../rig.ts";
import { startUnreliableServer } from "../unreliable-server.ts";

/** A parsed answer. */
interface Answer {
  readonly values: readonly string[];
  readonly descriptions: Readonly<Record<string, string>>;
  readonly directive: string;
  readonly ran: RunResult;
}

/** Completes the last word of a line whose words are separated by single spaces. */
async function ask(service: Rig, line: string, options: RunOptions = {}): Promise<Answer> {
  const ran = await service.run(["__complete", "--", ...line.split(" ")], options);
  expect(ran).toMatchObject({ code: 0, stderr: "" });
  const lines = ran.stdout.replace(/\n$/, "").split("\n");
  const directive = lines.pop() ?? "";
  const entries = lines.map((text) => text.split("\t"));
  return {
    values: entries.map(([value = ""]) => value),
    descriptions: Object.fromEntries(
      entries.map(([value = "", description = ""]) => [value, description]),
    ),
    directive,
    ran,
  };
}

let service: Rig;

beforeEach(async () => {
  service = await rig();
});

describe("completion of commands", () => {
  test("completion offers names of commands with their summaries, but no aliases", async () => {
    const { values, descriptions } = await ask(service, "");
    expect(values).toEqual(expect.arrayContaining(["courses", "providers", "completion", "help"]));
    expect(values).not.toContain("course");
    expect(values).not.toContain("__complete");
    expect(descriptions.sandbox).toBe("run the API on your machine; no account needed");
  });

  test.each(["courses pu", "course pu", "--profile test courses pu", "-q --json course pu"])(
    "completion offers the commands of a group in %j",
    async (line) => {
      expect((await ask(service, line)).values).toEqual(["push", "pull", "publish"]);
    },
  );

  test("completion offers commands and topics after help", async () => {
    const { values } = await ask(service, "help ");
    expect(values).toEqual(expect.arrayContaining(["courses", "schema", "exit-codes", "files"]));
    expect((await ask(service, "help courses g")).values).toEqual(["get"]);
    expect((await ask(service, "help courses get ")).values).toEqual([]);
    expect((await ask(service, "help --m")).values).toEqual(["--man"]);
  });

  test.each(["nonsense ", "courses nonsense ", "courses ls excess", "help nonsense "])(
    "completion offers nothing in %j",
    async (line) => {
      expect(await ask(service, line)).toMatchObject({ values: [], directive: ":end" });
    },
  );
});

describe("completion of flags", () => {
  test("completion offers flags with descriptions, the command's own flags first", async () => {
    const { values, descriptions } = await ask(service, "courses ls --p");
    expect(values).toEqual(["--provider", "--published", "--profile"]);
    expect(descriptions["--published"]).toBe(
      "only published courses, or with false only unpublished courses",
    );
  });

  test("completion offers short flags only after a single dash", async () => {
    expect((await ask(service, "courses rm -")).values).toEqual(
      expect.arrayContaining(["-y", "--yes", "-o", "-h", "-V", "--help"]),
    );
    expect((await ask(service, "courses rm --")).values).not.toContain("-y");
    expect((await ask(service, "courses rm -y")).values).toEqual(["-y"]);
  });

  test("completion offers flags where no argument is possible", async () => {
    const { values } = await ask(service, "courses ls ");
    expect(values).toContain("--published");
    expect(values).not.toContain("-o");
  });

  test.each([
    ["courses ls --published true --pub", []],
    ["courses ls --published=true --pub", []],
    ["courses ls -qo json --out", []],
    ["courses ls -qojson --qui", []],
    ["courses check --report json=a --rep", ["--report"]],
    ["courses create --set name=b --se", ["--set"]],
  ])("completion repeats a flag only if it is repeatable: %j", async (line, values) => {
    expect((await ask(service, line)).values).toEqual(values);
  });

  test("completion offers no flags after two dashes", async () => {
    expect((await ask(service, "courses get -- --pub")).values).toEqual([]);
    expect(await ask(service, "sandbox --port 0 -- ec")).toMatchObject({
      values: [],
      directive: ":files\t\t",
    });
  });
});

describe("completion of values", () => {
  test.each([
    ["courses ls --published ", ["true", "false"]],
    ["courses ls --published=t", ["--published=true"]],
    ["-o ", ["table", "json", "ndjson", "yaml", "csv", "tsv", "id", "xlsx"]],
    ["courses ls --output nd", ["ndjson"]],
    ["courses ls -oy", ["-oyaml"]],
    ["courses create --pace ", ["self_paced", "instructor_paced"]],
    ["courses check --format g", ["github"]],
    ["courses pull --format=", ["--format=yaml", "--format=json", "--format=xlsx"]],
    ["courses check --explain ", RULES],
    ["completion ", ["bash", "zsh", "fish", "powershell"]],
    ["api PA", ["PATCH"]],
  ])("completion offers the choices in %j", async (line, values) => {
    expect(await ask(service, line)).toMatchObject({ values, directive: ":end" });
  });

  test("completion of --report offers a format, then a file", async () => {
    expect(await ask(service, "courses check --report j")).toMatchObject({
      values: ["json=", "junit="],
      directive: ":nospace",
    });
    const { directive } = await ask(service, "courses push --report=sarif=re");
    expect(directive).toBe(":files\t\t--report=sarif=");
  });

  test("completion of --fields offers the fields that the command shows, each once", async () => {
    const names = FIELDS.map(({ name }) => name);
    expect((await ask(service, "courses ls --fields ")).values).toEqual(names);
    expect((await ask(service, "providers ls --fields u")).values).toEqual(["url"]);
    expect((await ask(service, "courses rm --fields r")).values).toEqual(["run"]);
    const { values, directive } = await ask(service, "courses get --fields name,id,im");
    expect(values).toEqual(["name,id,image_url"]);
    expect(directive).toBe(":nospace");
  });

  test("completion of --audio offers languages, and after a language its countries", async () => {
    const { values, descriptions } = await ask(service, "courses create --audio en,p");
    expect(values).toContain("en,pt");
    expect(descriptions["en,pt"]).toBe("Portuguese");
    expect((await ask(service, "courses create --audio pt-B")).values).toContain("pt-BR");
  });

  test.each([
    ["--set cert", ["certificate."], ":nospace"],
    ["--set certificate.t", ["certificate.type="], ":nospace"],
    ["--set certificate.type=", ["free", "included", "paid"], ":end"],
    ["--set pri", ["prices[0]."], ":nospace"],
    ["--set prices[3].curr", ["prices[3].currency="], ":nospace"],
    ["--set prices[3].currency=EU", ["EUR"], ":end"],
    ["--set prices[0].trial_period.unit=", ["days", "weeks", "months", "years"], ":end"],
    ["--set pace=s", ["self_paced"], ":end"],
    ["--set level=", ['["beginner"]', '["intermediate"]', '["advanced"]'], ":end"],
    ["--set free_content=", ["true", "false"], ":end"],
    ["--set provider=", ["example-academy"], ":end"],
    ["--set approval", [], ":end"],
    ["--set name=", [], ":end"],
    ["--set nonsense.", [], ":end"],
    ["--unset vid", ["video", "video."], ":nospace"],
    ["--unset video.thumb", ["video.thumbnail_url"], ":end"],
  ])("completion of --set offers values after a path in %j", async (typed, values, directive) => {
    const path = /[^ ]+=/.exec(typed)?.[0] ?? "";
    expect(await ask(service, `courses update x ${typed}`)).toMatchObject({
      values: values.map((value) => path + value),
      directive,
    });
  });

  test.each([
    ["courses push ", ":files\tyaml yml json csv tsv ndjson jsonl xlsx\t"],
    ["courses check a.yaml b", ":files\tyaml yml json csv tsv ndjson jsonl xlsx\t"],
    ["courses init in", ":files\tyaml yml json csv tsv ndjson jsonl xlsx\t"],
    ["courses update 0b6 ", ":files\tyaml yml json csv tsv ndjson jsonl xlsx\t"],
    ["courses pull ", ":folders\t"],
    ["--config=ca", ":files\t\t--config="],
    ["sandbox --seed ", ":files\t\t"],
    ["api POST x -d @bo", ":files\t\t@"],
  ])("completion leaves files to the shell in %j", async (line, directive) => {
    expect(await ask(service, line)).toMatchObject({ values: [], directive });
  });

  test("completion offers nothing for free text and after the last argument", async () => {
    expect((await ask(service, "courses ls --name ")).values).toEqual([]);
    expect((await ask(service, "courses ls --name --pub")).values).toEqual([]);
    expect((await ask(service, "courses pull a b")).values).toEqual([]);
  });
});

const ID = "0b6ec7b5-6c8b-4a5e-9f1d-2f4c9b1e7a10";
const OTHER_ID = "1c7fd8c6-7d9c-4b6f-8a2e-3a5dac2f8b21";

/** A service with these courses and providers. */
async function serving(
  courses: readonly unknown[],
  providers: readonly object[] = [{}],
): Promise<Rig> {
  const complete = providers.map((changes, index) => ({
    id: index === 0 ? PROVIDER_ID : `6f0f8a34-4f3b-4c58-9d7e-0d0c3c1f5b2${index + 1}`,
    name: `Academy ${index + 1}`,
    slug: `academy-${index + 1}`,
    url: "https://academy.example",
    ...changes,
  }));
  const user = { key: "test.key", providers: complete, courses };
  return await rig({ seed: parseSeed({ users: [user] }, testClock()) });
}

const KEY = { CATALOG_API_KEY: "test.key" };

describe("completion of courses and providers", () => {
  test("completion offers course ids with the names", async () => {
    const held = await serving([
      course({ id: ID }),
      course({ id: OTHER_ID, name: "Weaving", url: "https://academy.example/weaving" }),
    ]);
    const { values, descriptions, ran } = await ask(held, "courses publish ", { environment: KEY });
    expect(values).toEqual([ID, OTHER_ID]);
    expect(descriptions[OTHER_ID]).toBe("Weaving");
    expect(ran.requests).toHaveLength(1);
    for (const line of [
      `courses rm ${ID} `,
      `courses rm ${ID.toUpperCase()} 1`,
      "courses ls --id 1",
    ]) {
      expect((await ask(held, line, { environment: KEY })).values).toEqual([OTHER_ID]);
    }
    expect((await ask(held, "courses get -", { environment: KEY })).values[0]).toBe("-");
    expect((await ask(held, "courses get - 0b", { environment: KEY })).values).toEqual([ID]);
  });

  test("completion offers at most 300 courses", async () => {
    const many = Array.from({ length: 350 }, (_, index) =>
      course({ url: `https://academy.example/${index}` }),
    );
    const held = await serving(many);
    expect((await ask(held, "courses get ", { environment: KEY })).values).toHaveLength(300);
  });

  test("completion offers a provider's slug, or its id if the slug is ambiguous or needs quotes", async () => {
    const held = await serving([], [{}, { slug: "same" }, { slug: "same" }, { slug: "$(reboot)" }]);
    const { values, descriptions } = await ask(held, "courses ls --provider ", {
      environment: KEY,
    });
    const ids = [2, 3, 4].map((number) => `6f0f8a34-4f3b-4c58-9d7e-0d0c3c1f5b2${number}`);
    expect(values).toEqual(["academy-1", ...ids]);
    expect(descriptions[ids[2] ?? ""]).toBe("Academy 4");
  });

  test("completion prints each course on one line, shortened, without control characters and without the key", async () => {
    const names = [
      "Two\r\n\tlines \u001b[31mred\u202e",
      "A secret: test.key",
      "編".repeat(100),
      "x".repeat(500),
    ];
    const held = await serving(
      names.map((name, index) => course({ name, url: `https://academy.example/${index}` })),
    );
    const { descriptions, ran } = await ask(held, "courses get ", { environment: KEY });
    const [lines, secret, wide = "", long] = Object.values(descriptions);
    expect(lines).toBe("Two lines \\x1b[31mred\\u202e");
    expect(secret).not.toContain("test.key");
    expect(wide).toBe(`${"編".repeat(29)}…`);
    expect(long).toBe(`${"x".repeat(59)}…`);
    expect(ran.stdout.trimEnd().split("\n")).toHaveLength(5);
  });

  test("completion prints nothing if the service cannot be reached or a setting is wrong", async () => {
    const line = "courses get ";
    await service.write("broken.json", "{");
    const environments: Readonly<Record<string, string | undefined>>[] = [
      { CATALOG_API_KEY: undefined },
      { CATALOG_API_KEY: "wrong.key" },
      { CATALOG_BASE_URL: undefined },
      { CATALOG_BASE_URL: "nonsense" },
      { CATALOG_BASE_URL: "http://academy.example" },
      { CATALOG_BASE_URL: "http://127.0.0.1:1" },
      { CATALOG_CONFIG: "broken.json" },
      { CATALOG_PROFILE: "none" },
      { CATALOG_TIMEOUT: "nonsense" },
    ];
    for (const environment of environments) {
      const { values, directive } = await ask(service, line, { environment });
      expect({ environment, values, directive }).toEqual({
        environment,
        values: [],
        directive: ":end",
      });
    }
    for (const flags of ["--retries x", "--json -o csv", "--config broken.json"]) {
      expect((await ask(service, `${flags} ${line}`)).values).toEqual([]);
    }
  });

  test("completion does not retry a failed request", async () => {
    const failing = await rig({ fail: 1 });
    const { values, ran } = await ask(failing, "courses get ");
    expect(values).toEqual([]);
    expect(ran.requests).toHaveLength(1);
  });

  test("completion sends no request for words that are not ids", async () => {
    for (const line of ["", "courses ls --pub", "courses ls --published ", "courses check "]) {
      expect((await ask(service, line)).ran.requests).toEqual([]);
    }
  });
});

test("completion of --profile offers the profiles of the config files, except unusable names", async () => {
  const profiles = { test: {}, "two words": {}, "a\u001b[2J": {}, "-q": {}, "": {} };
  await service.write(".catalogrc.json", JSON.stringify({ profiles }));
  expect((await ask(service, "--profile ")).values).toEqual(["test", "two words"]);
  expect((await ask(service, "courses ls --profile=t")).values).toEqual([
    "--profile=test",
    "--profile=two words",
  ]);
});

test("__complete --new stands for the empty word that some shells cannot pass", async () => {
  const asked = await service.run(["__complete", "--new", "--", "courses", "ls", "--published"]);
  expect(asked).toMatchObject({ code: 0, stdout: "true\nfalse\n:end\n" });
  // PowerShell drops the dashes.
  const bare = await service.run(["__complete", "courses", "pus"]);
  expect(bare).toMatchObject({ code: 0, stdout: expect.stringMatching(/^push\t.*\n:end\n$/) });
});

test("no help page shows __complete", async () => {
  for (const words of [["--help"], ["help", "completion"], ["__nonsense"]]) {
    const { stdout, stderr } = await service.run(words);
    expect(stdout + stderr).not.toContain("__complete");
  }
});

test("completion ends without ids when its time limit of 1.5 seconds is over", async () => {
  const over = new AbortController();
  const limits: number[] = [];
  const timeout = (milliseconds: number): AbortSignal => {
    limits.push(milliseconds);
    return over.signal;
  };
  Object.assign(service.clock, { timeout });
  const server = await startUnreliableServer(service.sandbox.baseUrl, () => {
    over.abort();
    return "hang";
  });
  const environment = { CATALOG_BASE_URL: server.baseUrl };
  const { values, directive } = await ask(service, "courses get ", { environment });
  expect({ values, directive, limits }).toEqual({ values: [], directive: ":end", limits: [1500] });
});
