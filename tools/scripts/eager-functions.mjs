/** Rewrites functions so that V8 compiles them together with their file. */
import { parseSync, Visitor } from "rolldown/utils";

/**
 * The rolldown plugin for programs that are started often. V8 compiles a function at its first call,
 * unless it is an expression in parentheses, and Node.js's compile cache contains only what was compiled
 * together with the file. So expressions get parentheses, and declarations become such expressions
 * where their scope begins. docs/start-up.md has the measurements.
 */
export function eagerFunctions() {
  return {
    name: "eager-functions",
    generateBundle(_, bundle) {
      for (const output of Object.values(bundle)) {
        if (output.type === "chunk") output.code = withEagerFunctions(output.code);
      }
    },
  };
}

/** The code of a CommonJS module, in which V8 compiles all functions but methods at once. */
export function withEagerFunctions(code) {
  const { program, errors } = parseSync("module.cjs", code, { sourceType: "commonjs" });
  if (errors.length > 0) throw new Error(errors[0].message);
  return rewrite({ start: 0, end: code.length, scope: program, inner: functionsIn(program) }, code);
}

/** The functions of a module as a tree: each with its text, the scope of its body, and those inside it. */
function functionsIn(program) {
  const methods = new Set();
  const open = [{ scope: program, inner: [] }];
  const enter = (node) => {
    const { type, start, end, body, id } = node;
    const outer = open.at(-1);
    // In an inner block, a declaration is left as it is.
    const isHoisted = type === "FunctionDeclaration" && outer.scope.body.includes(node);
    const isExpression = type !== "FunctionDeclaration" && !methods.has(node);
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
