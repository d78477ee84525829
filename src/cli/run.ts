/** Runs a command line in a world: words → command → exit code. */
import { asCatalogError } from "../base/errors.ts";
import { isHeaderValue } from "../base/header.ts";
import { maskedOutput } from "../base/masked-output.ts";
import { Secrets } from "../base/secrets.ts";
import { memoize } from "../base/values.ts";
import { STOP_CODES } from "../command-support/exit-codes.ts";
import { type GlobalOptions, parseGlobals } from "../command-support/globals.ts";
import { ReportedError } from "../command-support/reported-error.ts";
import type { System } from "../command-support/system.ts";
import { colorLevel, stylesFor } from "../output/color.ts";
import { Messages } from "../output/messages.ts";
import { SETTINGS } from "../settings/table.ts";
import { VERSION } from "../version.ts";
import { exitCode } from "./exit.ts";
import type { Parsed } from "./program.ts";

/** Runs one command line. @returns the exit code (cli.md section 4) */
export async function run(argv: readonly string[], outside: System): Promise<number> {
  const secrets = new Secrets();
  const { io } = outside;
  const masked = { out: maskedOutput(io.out, secrets), err: maskedOutput(io.err, secrets) };
  const world: System = { ...outside, io: { in: io.in, ...masked } };
  let messages = messagesOf(world, guessOptions(argv));
  try {
    const parsed = await parsedOf(argv, world);
    if ("print" in parsed) {
      await world.io.out.write(parsed.print);
      return 0;
    }
    const { command, words } = parsed;
    if (!command.showsKey) hideKeyOf(world, secrets);
    const options = parseGlobals(words.flags);
    messages = messagesOf(world, optionsOf(options));
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

/** What the words come to. The help of the whole program is written without taking them apart. */
async function parsedOf(argv: readonly string[], { io }: System): Promise<Parsed> {
  const columns = Math.min(io.out.columns, WIDEST_HELP);
  const [word = "--help", ...more] = argv;
  if (more.length === 0 && /^(-h|--help|help)$/.test(word)) {
    const { rootHelp } = await import("./help.ts");
    return { print: rootHelp(columns) };
  }
  const { parseArguments } = await import("./program.ts");
  return await parseArguments(argv, { version: VERSION, columns });
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
  return new Messages({ ...options, err: world.io.err, paint: memoize(() => stylesFor(level)) });
}

function optionsOf({ format, quiet, verbose, color }: GlobalOptions): MessageOptions {
  return { json: format === "json" || format === "ndjson", quiet, verbose, color };
}

/** What the words ask for in the way of messages, before they are known to be right. */
function guessOptions(argv: readonly string[]): MessageOptions {
  const end = argv.indexOf("--");
  const words = end === -1 ? argv : argv.slice(0, end);
  const json = words.some(
    (word, index) =>
      word === "--json" ||
      /^(--output=|-o=?)(nd)?json$/.test(word) ||
      (/^(nd)?json$/.test(word) && /^(-o|--output)$/.test(words[index - 1] ?? "")),
  );
  return {
    json,
    quiet: false,
    verbose: words.includes("--verbose") || words.includes("-v"),
    color: !words.includes("--no-color"),
  };
}
