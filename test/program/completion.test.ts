/** What `catalog __complete` prints for the last word of an unfinished line. */
import { beforeEach, describe, expect, test } from "vitest";
import { FIELDS } from "../../src/course/fields.ts";
import { RULES } from "../../src/course/problem.ts";
import { FORMATS } from "../../src/output/formats.ts";
import { type Rig, type RunResult, rig } from "../rig.ts";

/** A parsed answer. */
interface Answer {
  readonly values: readonly string[];
  readonly descriptions: Readonly<Record<string, string>>;
  readonly directive: string;
  readonly ran: RunResult;
}

/** Completes the last word of a line whose words are separated by single spaces. */
async function ask(service: Rig, line: string): Promise<Answer> {
  const ran = await service.run(["__complete", "--", ...line.split(" ")]);
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
    ["courses check --report sarif=a --rep", ["--report"]],
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
    ["-o ", [...FORMATS]],
    ["courses ls --output nd", ["ndjson"]],
    ["courses ls -oy", ["-oyaml"]],
    ["courses create --pace ", ["self_paced", "instructor_paced"]],
    ["courses check -o g", ["github"]],
    ["courses pull --format=", ["--format=yaml", "--format=json", "--format=xlsx"]],
    ["courses check --ignore ", RULES],
    ["completion ", ["bash", "zsh", "fish", "powershell"]],
    ["api PA", ["PATCH"]],
  ])("completion offers the choices in %j", async (line, values) => {
    expect(await ask(service, line)).toMatchObject({ values, directive: ":end" });
  });

  test("completion of --report offers a format, then a file", async () => {
    expect(await ask(service, "courses check --report j")).toMatchObject({
      values: ["junit="],
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

test.each([
  "courses get ",
  "courses ls --provider ",
  "courses update x --set pri",
  "undo ",
  "--profile ",
])("completion sends no request, reads no setting and offers nothing in %j", async (line) => {
  await service.write(".catalogrc.json", "{");
  const { values, directive, ran } = await ask(service, line);
  expect({ values, directive }).toEqual({ values: [], directive: ":end" });
  expect(ran.requests).toEqual([]);
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
