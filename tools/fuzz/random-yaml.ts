/** Makes random YAML from the grammar: every style inside every other style, and most of it valid. */
import fc from "fast-check";
import { SIGNS, WORDS } from "./random-strings.ts";

/**
 * The text of a value at a depth of indentation. The text starts on the current line, or with a line break if the
 * value has separate lines.
 */
type Grown = (indent: string) => string;

const FEW = { maxLength: 3 };

/** Chooses a valid text most of the time, and sometimes an invalid one. */
function mostly(right: fc.Arbitrary<string>, wrong: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.oneof({ weight: 30, arbitrary: right }, { weight: 1, arbitrary: wrong });
}

/** A text that is the same at any depth. */
function asIs(text: string): Grown {
  return () => text;
}

const LETTERS = /^\p{L}[\p{L}\p{N} ]*$/u;

const word = fc.oneof(
  fc.constantFrom("b c", ..."a http://x/y it's x:y a#b -a null no 1 .5 ~".split(" ")),
  fc.constantFrom(...WORDS.filter((text) => /^[\w.+~-]+$/.test(text) && text !== "---")),
  fc.string({ unit: "grapheme", maxLength: 6 }).filter((text) => LETTERS.test(text)),
);
const plain = mostly(word, fc.oneof(fc.constantFrom(...WORDS, ...SIGNS), fc.string()));

const comment = fc.constantFrom("", "", "", "", " # c", "\t# c: [", "  ");
/** Text that can be between two lines. */
const gap = mostly(
  fc.constantFrom("", "", "", "", "\n", " \n", "# c\n", "\n\n"),
  fc.constantFrom("\t\n", "---\n", "x\n", "\t# c\n"),
);

const escapes = mostly(
  fc.constantFrom(
    ...'\\n \\t \\\\ \\" \\/ \\0 \\e \\N \\x41 \\u00e9 \\ud83e\\uddf6 \\ud800 \\U0001F9F6'.split(
      " ",
    ),
    ...["\\ ", "\\\n", "\\\n\n"],
  ),
  fc.constantFrom("\\U00110000", "\\q", "\\x4", "\\u12G4", "\\"),
);
const folds = mostly(fc.constantFrom("\n", "\n\n", " \n  ", "\n\t"), fc.constant("\n---\n"));

/** A quoted string on one line or several. */
function quoted(mark: string, ...parts: readonly fc.Arbitrary<string>[]): fc.Arbitrary<Grown> {
  return fc.array(fc.oneof(word, folds, ...parts), FEW).map((pieces): Grown => {
    return (indent) => mark + pieces.join("").replaceAll("\n", `\n${indent} `) + mark;
  });
}

const json = fc.string().map((text) => asIs(JSON.stringify(text)));

const scalar: fc.Arbitrary<Grown> = fc.oneof(
  { weight: 4, arbitrary: plain.map(asIs) },
  { weight: 2, arbitrary: json },
  quoted("'", fc.constantFrom("''", '"', "\\", ": ", " #")),
  quoted('"', escapes, fc.constantFrom("'", ": ", " #")),
);

/** A key, which should be on one line. */
const key: fc.Arbitrary<Grown> = fc.oneof(
  { weight: 12, arbitrary: word.map(asIs) },
  { weight: 6, arbitrary: json },
  scalar,
);

const header = mostly(
  fc.constantFrom("|", ">", "|-", ">-", "|+", ">+", "| # c", ">1-", "|2"),
  fc.constantFrom("|9", "|0", "|--", "|x", "|#c"),
);
const line = fc.oneof(
  word,
  fc.constantFrom("", "", " ", "  a", "\ta", "# c", "- a: 'b", "---", "a  "),
);

const blockScalar = fc
  .tuple(header, fc.array(line, { maxLength: 4 }), fc.constantFrom(" ", "  "))
  .map(([start, lines, step]): Grown => {
    return (indent) =>
      [start, ...lines.map((text) => (text === "" ? "" : indent + step + text))].join("\n");
  });

/** An anchor and a tag, or nothing. */
const properties = fc.oneof(
  { weight: 12, arbitrary: fc.constant("") },
  { weight: 3, arbitrary: fc.constantFrom("&a ", "&b ") },
  fc.constantFrom("! ", "&é ", "!!str ", "!x ", "!!int ", "&a !!str ", "&a &b "),
  fc.constant("!<tag:yaml.org,2002:str> "),
);
const alias = fc.constantFrom("*a ", "*b ", "*a").map(asIs);

const separator = mostly(
  fc.constantFrom(", ", ",", " ,", ",\n", ", # c\n", ",\t"),
  fc.constant(" "),
);

/** A list or an object in brackets. */
function inBrackets(brackets: string, parts: readonly Grown[], between: string): Grown {
  return (indent) => {
    const deeper = `${indent}  `;
    const inner = parts.map((part) => part(deeper)).join(between.replace("\n", `\n${deeper}`));
    return brackets.replace("…", () => inner);
  };
}

const { block } = fc.letrec<{ flow: Grown; block: Grown }>((tie) => {
  const mark = mostly(fc.constantFrom(": ", ": ", " : "), fc.constantFrom(":", ":\n", " "));
  const pair = fc.tuple(key, mark, tie("flow")).map(([name, colon, value]): Grown => {
    return (indent) => name(indent) + colon + value(indent);
  });
  const item = fc
    .tuple(gap, properties, tie("block"), fc.boolean(), comment)
    .map(([before, tag, value, isCompact, after]): Grown => {
      return (indent) => {
        const text = value(`${indent}  `);
        const isClose = isCompact && tag === "";
        return `${before}${indent}- ${tag}${isClose ? text.trimStart() : text}${after}`;
      };
    });
  const entry = fc
    .tuple(gap, key, fc.constantFrom(":", ":", " :"), properties, tie("block"), comment)
    .map(([before, name, colon, tag, value, after]): Grown => {
      return (indent) =>
        `${before}${indent}${name(indent)}${colon} ${tag}${value(`${indent}  `)}${after}`;
    });
  const explicit = fc.tuple(scalar, tie("block")).map(([name, value]): Grown => {
    return (indent) => {
      const deeper = `${indent}  `;
      return `${indent}? ${name(deeper)}\n${indent}: ${value(deeper).trimStart()}`;
    };
  });
  /** Parts on separate lines. */
  const below = (parts: readonly Grown[]): Grown => {
    return (indent) => parts.map((part) => `\n${part(indent)}`).join("");
  };
  return {
    flow: fc.oneof(
      { maxDepth: 3, depthSize: "small" },
      { weight: 6, arbitrary: scalar },
      alias,
      fc
        .tuple(fc.array(fc.oneof(tie("flow"), pair), FEW), separator)
        .map(([items, between]) => inBrackets("[…]", items, between)),
      fc
        .tuple(fc.array(pair, FEW), separator)
        .map(([entries, between]) => inBrackets("{…}", entries, between)),
    ),
    block: fc.oneof(
      { maxDepth: 4, depthSize: "small" },
      { weight: 2, arbitrary: tie("flow") },
      blockScalar,
      { weight: 2, arbitrary: fc.array(item, { ...FEW, minLength: 1 }).map(below) },
      {
        weight: 4,
        arbitrary: fc
          .array(fc.oneof({ weight: 6, arbitrary: entry }, explicit), { ...FEW, minLength: 1 })
          .map(below),
      },
    ),
  };
});

const opening = mostly(
  fc.constantFrom("", "", "", "---\n", "%YAML 1.2\n---\n", "# c\n", "%TAG !e! tag:x:\n---\n"),
  fc.constantFrom("%X\n---\n", "--- ", "\t", "...\n", "%YAML 2.0\n---\n"),
);
const closing = fc.constantFrom("\n", "\n", "", "\n...\n", " # c\n");

/** A complete text of one document or several. */
export const randomYaml: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom("", "", "\ufeff"),
    fc.array(fc.tuple(opening, block, closing), { minLength: 1, maxLength: 2 }),
    fc.constantFrom("\n", "\n", "\n", "\r\n", "\r"),
  )
  .map(([mark, documents, end]) => {
    const texts = documents.map(([start, body, close]) => start + body("").trimStart() + close);
    return mark + texts.join("\n...\n").replaceAll("\n", end);
  });
