/** `catalog courses check`: checks course files locally (cli.md sections 7 and 11). */
import { asCatalogError, usageError } from "../../base/errors.ts";
import type { Provider } from "../../course/provider.ts";
import { checkFiles } from "../../files/check.ts";
import { command } from "../../kit/command.ts";
import type { Context } from "../../kit/context.ts";
import { parsePaths, readCourseFiles } from "../../kit/course-files.ts";
import { choiceFlag, isSet } from "../../kit/values.ts";
import type { Words } from "../../kit/words.ts";
import {
  type CheckReport,
  githubAnnotations,
  humanDiagnostics,
  jsonReport,
} from "../../output/diagnostics.ts";
import { terminalJson } from "../../output/json-text.ts";

const STYLES = ["human", "json", "github"] as const;

interface Request {
  readonly paths: readonly string[];
  readonly style?: (typeof STYLES)[number];
  readonly strict: boolean;
  readonly online: boolean;
}

type Needs = Pick<
  Context,
  "io" | "folder" | "options" | "messages" | "paint" | "environment" | "client"
>;

/** No request; with `--online`, GET providers. */
export const check = command({
  arguments: [
    {
      name: "path",
      required: true,
      variadic: true,
      description: "course files or folders; - reads standard input",
    },
  ],
  flags: [
    {
      name: "format",
      value: `<${STYLES.join("|")}>`,
      description: "how findings are shown (default human; github in a GitHub workflow)",
    },
    { name: "strict", description: "count warnings as errors" },
    { name: "online", description: "check the provider and the host of the url, too" },
  ],
  examples: [
    { says: "Check a folder", line: "catalog courses check courses/" },
    { says: "With your providers at hand", line: "catalog courses check --online courses/" },
  ],
  parse: parseRequest,
  run: checkCourses,
});

function parseRequest(words: Words): Request {
  const style = choiceFlag(words, "format", STYLES);
  return {
    paths: parsePaths(words),
    ...(style === undefined ? {} : { style }),
    strict: isSet(words, "strict"),
    online: isSet(words, "online"),
  };
}

async function checkCourses(request: Request, context: Needs): Promise<void> {
  const style = styleOf(request, context);
  const { files, failures } = await readCourseFiles(request.paths, context);
  const providers = request.online ? await readProviders(context) : undefined;
  const found = checkFiles(files, providers === undefined ? {} : { providers });
  const diagnostics = request.strict
    ? found.map((diagnostic) => ({ ...diagnostic, severity: "error" as const }))
    : found;
  for (const failure of failures) await context.messages.fail(failure);

  const courses = files.reduce((sum, file) => sum + file.courses.length, 0);
  const report: CheckReport = { files: files.map(({ name }) => name), courses, diagnostics };
  if (files.length > 0) await context.io.out.write(await render(report, style, context));
  if (diagnostics.some(({ severity }) => severity === "error")) context.messages.record("file");
}

/** The user's providers; without them, what can be known locally is still told. */
async function readProviders({ client, messages }: Needs): Promise<Provider[] | undefined> {
  try {
    return await (await client()).providers();
  } catch (thrown) {
    const error = asCatalogError(thrown);
    // A setting that is missing or wrong is told before anything is done.
    if (error.kind === "usage" || error.kind === "interrupted") throw error;
    await messages.fail(error);
    return undefined;
  }
}

function styleOf(request: Request, { options, environment }: Needs): (typeof STYLES)[number] {
  const { format, fields } = options;
  if (fields !== undefined) throw usageError("check has no --fields");
  if (format !== undefined && format !== "json") {
    throw usageError(`check knows no --output ${format}`, "Use --format human, json or github.");
  }
  if (format === "json") {
    if (request.style !== undefined && request.style !== "json") {
      throw usageError(`--json and --format ${request.style} contradict each other`);
    }
    return "json";
  }
  return request.style ?? (environment.GITHUB_ACTIONS === "true" ? "github" : "human");
}

async function render(
  report: CheckReport,
  style: (typeof STYLES)[number],
  { io, paint }: Needs,
): Promise<string> {
  if (style === "json") return `${terminalJson(JSON.stringify(jsonReport(report), null, 2))}\n`;
  if (style === "github") return githubAnnotations(report);
  const { isTerminal, columns } = io.out;
  return humanDiagnostics(report, await paint(), { snippets: isTerminal, columns });
}
