/** Turns HTML into plain text. */
import { Parser } from "htmlparser2";
import { requireShallow } from "../../../files/rows.ts";

/** Elements that begin a line of their own. */
const BLOCKS = new Set(
  "address article aside blockquote dd div dl dt figure footer form h1 h2 h3 h4 h5 h6 header hr main nav ol p pre section table tr ul".split(
    " ",
  ),
);
/** Elements between which there is an empty line. */
const PARAGRAPHS = new Set(["p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "blockquote"]);
/** Elements whose content is not text. */
const HIDDEN = new Set(["script", "style", "template", "noscript", "head"]);

/** Whether a string contains tags or character references. */
export function looksLikeHtml(text: string): boolean {
  return /<\/?[a-z][^<>]*>|&(?:[a-z]+|#\d+|#x[\da-f]+);/i.test(text);
}

/** The text of HTML, with paragraphs and list items on lines of their own. */
export function plainText(html: string): string {
  let text = "";
  let hidden = 0;
  let depth = 0;
  const parser = new Parser({
    onopentag: (name) => {
      requireShallow(++depth);
      if (HIDDEN.has(name)) hidden++;
      else if (name === "br") text += "\n";
      else if (name === "li") text += "\n- ";
      else if (BLOCKS.has(name)) text += PARAGRAPHS.has(name) ? "\n\n" : "\n";
    },
    onclosetag: (name) => {
      depth--;
      if (HIDDEN.has(name)) hidden--;
      else if (BLOCKS.has(name)) text += PARAGRAPHS.has(name) ? "\n\n" : "\n";
    },
    ontext: (part) => {
      if (hidden === 0) text += part.replace(/\s{2,}|[^\S ]/g, " ");
    },
  });
  parser.end(html);
  return text
    .replace(/[ \t\u00a0]{2,}|[\t\u00a0]/g, " ")
    .replace(/ ?\n ?/g, "\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}
