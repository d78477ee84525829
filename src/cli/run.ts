/** Runs a command line in a world: words → command → exit code. */
import { asCatalogError } from "../base/errors.ts";
import { isHeaderValue } from "../base/http.ts";
import { maskedOutput, Secrets } from "../base/secrets.ts";
import { memoize } from "../base/values.ts";
import type { ParsedArguments } from "../command-support/arguments.ts";
import { STOP_CODES } from "../command-support/exit-codes.ts";
import { parseGlobals } from "../command-support/globals.ts";
import { ReportedError } from "../command-support/reported-error.ts";
import type { System } from "../command-support/system.ts";
import { colorLevel, stylesFor } from "../output/color.ts";
import { FORMATS, hasJsonMessages } from "../output/formats.ts";
import { Messages } from "../output/messages.ts";
import { SETTINGS } from "../settings/table.ts";
import { exitCode } from "./exit.ts";
import type { PageStyle } from "./help.ts";

/** Runs one command line. @returns the exit code (cli.md section 4) */
export async function run(argv: readonly string[], outside: System): Promise<number> {
  const secrets = new Secrets();
  const { io } = outside;
  const masked = { out: maskedOutput(io.out, secrets), err: maskedOutput(io.err, secrets) };
  const world: System = { ...outside, io: { in: io.in, ...masked } };
  let messages = messagesOf(world, optionsOf({}));
  try {
    if (argv.length === 0 || (argv.length === 1 && isHelp(argv[0]))) {
      // Without loading the parser.
      const { rootHelp } = await import("./help.ts");
      await world.io.out.write(rootHelp(await pageStyle(world, true)));
      return 0;
    }
    const { parseArguments } = await import("./parse-arguments.ts");
    const parsed = await parseArguments(argv);
    const early = optionsOf(parsed.flags);
    messages = messagesOf(world, early);
    if ("error" in parsed) throw parsed.error;
    if ("print" in parsed) {
      await world.io.out.write(parsed.print(await pageStyle(world, early.color)));
      return 0;
    }
    const { command, words } = parsed;
    if (!command.showsKey) hideKeyOf(world, secrets);
    const options = parseGlobals(words.flags);
    messages = messagesOf(world, { ...early, quiet: options.quiet });
    const input = command.parse(words);
    const { createContext } = await import("./context.ts");
    const context = createContext(world, options, messages, secrets);
    try {
      const code = await command.run(input, context);
      if (typeof code === "number") return code;
    } finally {
      await context.close();
    }
    return stopCode(world) ?? exitCode(messages.kinds);
  } catch (thrown) {
    hideKeyOf(world, secrets);
    const error = asCatalogError(thrown);
    if (error instanceof ReportedError) messages.record(error.kind);
    else if (error.kind === "interrupted") messages.record("interrupted");
    else await messages.fail(error);
    return stopCode(world) ?? exitCode(messages.kinds);
  }
}

/** Lines that are longer are hard to read. */
const WIDEST_HELP = 100;

function isHelp(word: string | undefined): boolean {
  return word === "-h" || word === "--help" || word === "help";
}

async function pageStyle({ io, environment }: System, color: boolean): Promise<PageStyle> {
  const { bold } = await stylesFor(colorLevel(io.out, environment, color));
  return { columns: Math.min(io.out.columns, WIDEST_HELP), bold };
}

/** The key of the environment may be typed where it does not belong, before any setting is read. */
function hideKeyOf({ environment }: System, secrets: Secrets): void {
  const key = environment[SETTINGS.apiKey.variable]?.trim() ?? "";
  if (isHeaderValue(key)) secrets.add(key);
}

function stopCode({ signal }: System): number | undefined {
  if (!signal.aborted) return undefined;
  return signal.reason === "SIGTERM" ? STOP_CODES.SIGTERM : STOP_CODES.SIGINT;
}

interface MessageOptions {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly color: boolean;
}

function messagesOf(world: System, options: MessageOptions): Messages {
  const level = colorLevel(world.io.err, world.environment, options.color);
  return new Messages({ ...options, err: world.io.err, styles: memoize(() => stylesFor(level)) });
}

/** How messages are printed: from the flags as typed, because errors in them are printed, too. */
function optionsOf(flags: ParsedArguments["flags"]): MessageOptions {
  return {
    // An --output without its value has --json as one.
    json:
      flags.json === true ||
      flags.output === "--json" ||
      hasJsonMessages(FORMATS.find((format) => format === flags.output)),
    quiet: false,
    verbose: flags.verbose === true,
    color: flags["no-color"] !== true,
  };
}
