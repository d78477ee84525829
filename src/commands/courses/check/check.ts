/** `catalog courses check`: checks course files locally. */
import { usageError } from "../../../base/errors.ts";
import { STANDARD_INPUT } from "../../../base/io.ts";
import { pluralize } from "../../../base/text.ts";
import {
  alternatives,
  type Flag,
  type FlagValues,
  type ParsedArguments,
} from "../../../command-support/arguments.ts";
import { command } from "../../../command-support/command.ts";
import type { Context } from "../../../command-support/context.ts";
import { hintImport, parsePaths } from "../../../command-support/course-files.ts";
import { REPORT_FLAG, requireDifferentFiles } from "../../../command-support/report-flag.ts";
import {
  findingFilter,
  limitFindings,
  parseRule,
  RULE_FLAGS,
  type RuleChoice,
  ruleChoice,
} from "../../../command-support/rule-choice.ts";
import { type RunState, runReported, withKnown } from "../../../command-support/run-report.ts";
import { RULES, type RuleId } from "../../../course/problem.ts";
import { checkFiles, findProviders } from "./check-files.ts";
import { type FindingStyle, findingPrinter, findingStyle, STYLES } from "./findings.ts";
import type { FileFix } from "./fix-files.ts";

const FLAGS = [
  {
    name: "format",
    value: alternatives(STYLES),
    choices: STYLES,
    description: "how findings are shown (default human; github in a GitHub workflow)",
  },
  { name: "strict", description: "count warnings as errors" },
  {
    name: "online",
    description: "also check the provider and the url's host against the service",
  },
  { name: "fix", description: "fix problems that have only one solution, in place" },
  { name: "dry-run", description: "with --fix: show what would be fixed, write nothing" },
  { name: "watch", description: "check again on every change, and show what is different" },
  { name: "all", description: "show every finding on a terminal, not only the first 50" },
  ...RULE_FLAGS,
  REPORT_FLAG,
  {
    name: "explain",
    value: "[rule]",
    choices: RULES,
    parse: parseRule,
    description: "explain a rule, with an example; without one, list the rules",
  },
] as const satisfies readonly Flag[];

interface Options extends FlagValues<typeof FLAGS> {
  readonly paths: readonly string[];
  readonly rules: RuleChoice;
}

/** No request; with `--online`, GET providers. */
export const check = command({
  arguments: [
    {
      name: "path",
      variadic: true,
      completes: "course-file",
      description: "course files or folders; - reads standard input",
    },
  ],
  flags: FLAGS,
  examples: [
    { description: "Check a folder", line: "catalog courses check courses/" },
    {
      description: "Also check against your providers",
      line: "catalog courses check --online courses/",
    },
    {
      description: "In a CI job, with reports for other tools",
      line: "catalog courses check courses/ --report junit=courses.xml --report sarif=courses.sarif",
    },
    {
      description: "While you write",
      line: "catalog courses check --watch courses/",
    },
    {
      description: "Fix the problems that have only one solution",
      line: "catalog courses check --fix courses/",
    },
    { description: "What a finding means", line: "catalog courses check --explain unknown-key" },
  ],
  exits: [1, 3, 4, 6],
  parse: parseOptions,
  run: async (options, context) =>
    await runReported(options.report, context, async () => ({
      known: await checkCourses(options, context),
    })),
});

function parseOptions(typed: ParsedArguments<typeof FLAGS>): Options {
  const { values } = typed;
  const { explain, fix, dryRun, watch, report } = values;
  const paths = parsePaths(typed);
  if (explain === undefined && paths.length === 0) {
    throw usageError("check needs a path: course files or folders, or - for standard input");
  }
  if (explain !== undefined && paths.length > 0) {
    throw usageError("--explain explains a rule and checks nothing: leave the paths out");
  }
  if (dryRun && !fix) throw usageError("--dry-run requires --fix", "Otherwise nothing is written.");
  if (fix && paths.includes(STANDARD_INPUT)) {
    throw usageError("--fix cannot change standard input", "Pass files or folders.");
  }
  if (watch && paths.includes(STANDARD_INPUT)) {
    throw usageError("--watch cannot watch standard input", "Pass files or folders.");
  }
  if (watch && (fix || report.length > 0)) {
    throw usageError("--watch cannot be combined with --fix or --report");
  }
  requireDifferentFiles(report);
  return { ...values, paths, rules: ruleChoice(values) };
}

async function checkCourses(options: Options, context: Context): Promise<RunState> {
  const { io, messages } = context;
  if (options.explain === true) {
    const { listRules } = await import("./explain-rule.ts");
    await listRules(context);
    return {};
  }
  const style = findingStyle(options.format, context);
  if (options.explain !== undefined) {
    await io.out.write(await explanation(options.explain, style, context));
    return {};
  }
  if (options.watch && style !== "human") {
    throw usageError(
      "--watch shows findings only as text",
      "Leave out --format, --output and --json.",
    );
  }
  const print = findingPrinter(style, context, options.all || options.rules.most !== undefined);
  const filter = await findingFilter(options.rules, context);
  const fixes = options.fix ? await fix(options, style, context) : undefined;
  const providers = options.online ? await findProviders(context) : undefined;
  const onlineFailures = [...messages.failures];
  const { report: checked, failures } = await checkFiles(
    { ...options, filter },
    providers,
    context,
  );
  const report = { ...checked, failures: onlineFailures, fixes };
  return await withKnown(
    () => report,
    async () => {
      for (const failure of failures.values()) await messages.fail(failure);
      const unreported = report.diagnostics.filter((diagnostic) => !failures.has(diagnostic));
      // If no file could be read, nothing was checked; programs find the reasons among the findings.
      const unreadable = [...failures.values()].some(({ kind }) => kind === "file");
      const isFinding = style === "github" || (style !== "human" && unreadable);
      if (failures.size < report.files.length || isFinding) {
        const { most } = options.rules;
        const { shown, notice } = limitFindings(report.diagnostics, most);
        const kept = new Set(shown);
        await print({ report, shown, unreported: unreported.filter((each) => kept.has(each)) });
        if (notice !== undefined) await messages.info(notice);
        await hintImport(report.diagnostics, context);
      }
      if (unreported.some(({ severity }) => severity === "error")) messages.record("file");
      if (!options.watch) return report;
      const again = () => checkFiles({ ...options, filter }, providers, context);
      const { watchChecks } = await import("./watch-check.ts");
      await watchChecks(options.paths, checked, async () => (await again()).report, context);
      return report;
    },
  );
}

/** Fixes the files, and shows what was fixed. */
async function fix(
  { paths, report, dryRun }: Options,
  style: FindingStyle,
  context: Context,
): Promise<readonly FileFix[]> {
  const { fixesText, fixFiles } = await import("./fix-files.ts");
  const fixes = await fixFiles({ paths, except: report.map(({ file }) => file), dryRun }, context);
  const { io, messages } = context;
  if (style === "human" || style === "github") {
    await io.out.write(fixesText(fixes, dryRun, context.styles));
  } else {
    await messages.info(`${dryRun ? "Would fix" : "Fixed"} ${pluralize(fixes.length, "problem")}.`);
  }
  return fixes;
}

/** The page of one rule. @throws CatalogError of kind `usage` */
async function explanation(rule: RuleId, style: FindingStyle, context: Context): Promise<string> {
  const { options } = context;
  if (options.fields !== undefined) throw usageError("--explain cannot be combined with --fields");
  if (style !== "json" && options.format !== undefined) {
    throw usageError(
      `--output ${options.format} is not available with --explain`,
      "A rule is explained in words, or as an object with --json.",
    );
  }
  const format = style === "json" ? { format: style } : {};
  const { explainRule } = await import("./explain-rule.ts");
  return await explainRule(rule, { ...context, options: { ...options, ...format } });
}
