/** Rewrites the functions that short commands call, so that V8 compiles them together with their file. */
import { spawnSync } from "node:child_process";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseSync, Visitor } from "rolldown/utils";
import { PROGRAM, plainEnvironment } from "../bench/program.mjs";
import { startSandbox } from "../bench/sandbox.mjs";
import { withTemporaryFolder } from "../bench/temporary-folder.mjs";

const EXAMPLES = fileURLToPath(new URL("../../examples", import.meta.url));

/** The commands whose functions are rewritten, as their words, each with its exit code. */
const RUNS = [
  [["--help"], 0],
  [["schema"], 0],
  [["courses", "check", join(EXAMPLES, "one.yaml")], 0],
  [["courses", "check", join(EXAMPLES, "broken.yaml")], 3],
  [["courses", "push", join(EXAMPLES, "one.yaml")], 0],
  [["courses", "ls"], 0],
];

/** Milliseconds for one of them. */
const TIME_LIMIT = 60_000;

/**
 * Rewrites the built program, which is CommonJS, in place. V8 compiles a function at its first call,
 * unless it is an expression in parentheses, and Node.js's compile cache contains only what was compiled
 * together with the file. So expressions get parentheses, and declarations become such expressions
 * where their scope begins. docs/start-up.md has the measurements.
 */
export async function compileCalledFunctions() {
  for (const [path, ends] of await findCalledFunctions()) {
    const code = await readFile(path, "utf8");
    await writeFile(path, withEagerFunctions(code, ends));
  }
}

/** Runs the commands. @returns the ends of the called functions, as offsets, by their file */
async function findCalledFunctions() {
  return await withTemporaryFolder(async (folder) => {
    const coverage = join(folder, "coverage");
    const uncached = { NODE_DISABLE_COMPILE_CACHE: "1" };
    const providers = join(EXAMPLES, "providers.json");
    const sandbox = await startSandbox(folder, ["--seed", providers], uncached);
    const recorded = { ...sandbox.environment, ...uncached, NODE_V8_COVERAGE: coverage };
    const env = plainEnvironment(folder, recorded);
    const options = { cwd: folder, env, encoding: "utf8", timeout: TIME_LIMIT };
    try {
      for (const [words, code] of RUNS) {
        const { status, stderr, error } = spawnSync(process.execPath, [PROGRAM, ...words], options);
        if (status === code) continue;
        throw new Error(`catalog ${words.join(" ")} ended with ${status}: ${error ?? stderr}`);
      }
    } finally {
      await sandbox.stop();
    }
    const called = new Map();
    for (const name of await readdir(coverage)) {
      const { result } = JSON.parse(await readFile(join(coverage, name), "utf8"));
      for (const { url, functions } of result.filter(({ url }) => url.endsWith(".cjs"))) {
        const path = fileURLToPath(url);
        const ends = called.get(path) ?? new Set();
        for (const { ranges } of functions) if (ranges[0].count > 0) ends.add(ranges[0].endOffset);
        called.set(path, ends);
      }
    }
    if (called.size === 0) throw new Error("Node.js recorded no called function");
    return called;
  });
}

/** The code of a CommonJS module, in which V8 compiles the functions that end there at once, but no methods. */
export function withEagerFunctions(code, ends) {
  const { program, errors } = parseSync("module.cjs", code, { sourceType: "commonjs" });
  if (errors.length > 0) throw new Error(errors[0].message);
  const inner = functionsIn(program, ends);
  return rewrite({ start: 0, end: code.length, scope: program, inner }, code);
}

/** The functions of a module as a tree: each with its text, the scope of its body, and those inside it. */
function functionsIn(program, ends) {
  const methods = new Set();
  const open = [{ scope: program, inner: [] }];
  const enter = (node) => {
    const { type, start, end, body, id } = node;
    const outer = open.at(-1);
    const isDeclaration = type === "FunctionDeclaration";
    // In an inner block, a declaration is left as it is.
    const isHoisted = isDeclaration && outer.scope.body.includes(node) && ends.has(end);
    const isExpression = !isDeclaration && !methods.has(node) && ends.has(end);
    const scope = body.type === "BlockStatement" ? body : { body: [] };
    const found = { start, end, id, scope, isHoisted, isExpression, inner: [] };
    outer.inner.push(found);
    open.push(found);
  };
  const leave = () => open.pop();
  new Visitor({
    MethodDefinition: ({ value }) => methods.add(value),
    Property: ({ method, kind, value }) => (method || kind !== "init") && methods.add(value),
    ...{ FunctionDeclaration: enter, "FunctionDeclaration:exit": leave },
    ...{ FunctionExpression: enter, "FunctionExpression:exit": leave },
    ...{ ArrowFunctionExpression: enter, "ArrowFunctionExpression:exit": leave },
  }).visit(program);
  return open[0].inner;
}

/** The text of a function, or of a module, with the functions inside it rewritten. */
function rewrite({ start, end, id, scope, isHoisted, inner }, code) {
  const hoisted = inner.filter((each) => each.isHoisted);
  const values = hoisted.map((each) => `${each.id.name}=(${rewrite(each, code)})`);
  const first = startOfBody(scope);
  const edits = [
    // The variable gives its name to the function.
    ...(isHoisted ? [{ start: id.start, end: id.end, text: "" }] : []),
    ...(values.length > 0 ? [{ start: first, end: first, text: `var ${values.join(",")};` }] : []),
    ...inner.map((each) => ({ ...each, text: replacementOf(each, code) })),
  ].sort((one, other) => one.start - other.start);
  let at = start;
  let text = "";
  for (const edit of edits) {
    text += code.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return text + code.slice(at, end);
}

/** What takes the place of a function. */
function replacementOf(inner, code) {
  if (inner.isHoisted) return ";";
  return inner.isExpression ? `(${rewrite(inner, code)})` : rewrite(inner, code);
}

/** The offset after the directives of a module or of a function's body. */
function startOfBody({ type, start, body }) {
  const directive = body.findLast((statement) => typeof statement.directive === "string");
  return directive?.end ?? (type === "Program" ? 0 : start + 1);
}
