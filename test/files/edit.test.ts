/** Ids are inserted where a person would write them, in any layout. */
import { describe, expect, test } from "vitest";
import type { FileFormat } from "../../src/files/parse.ts";
import { type ChosenId, withIds } from "./read-back.ts";

const ID = "1b4e28ba-2fa1-4d1e-883f-0016d3cca427";
const OTHER = "9f1c2d3e-0a4b-4c5d-8e6f-7a8b9c0d1e2f";

/** The id of the first course, whose url is `u`. */
const FIRST: ChosenId = { course: 0, url: "u", id: ID };

/** The text with the id written as `ID`, or the reason for the rejection. */
async function edited(
  text: string,
  format: FileFormat,
  ids: readonly ChosenId[] = [FIRST],
): Promise<string> {
  const result = await withIds(text, format, ids);
  return "reason" in result
    ? `refused: ${result.reason}`
    : result.text.replaceAll(ID, "ID").replaceAll(OTHER, "OTHER");
}

type Row = readonly [layout: string, before: string, after: string];

const BLOCKS: readonly Row[] = [
  ["a mapping", "name: x\nurl: u\n", "id: ID\nname: x\nurl: u\n"],
  ["an indented mapping", "  name: x\n  url: u\n", "  id: ID\n  name: x\n  url: u\n"],
  ["one line without an end", "url: u", "id: ID\nurl: u"],
  ["CRLF", "name: x\r\nurl: u\r\n", "id: ID\r\nname: x\r\nurl: u\r\n"],
  ["the line ends of an old Macintosh", "name: x\rurl: u\r", "id: ID\rname: x\rurl: u\r"],
  ["CRLF before the only line", "# c\r\nurl: u", "# c\r\nid: ID\r\nurl: u"],
  ["comments above", "# a\n\n# b\nurl: u\n", "# a\n\n# b\nid: ID\nurl: u\n"],
  ["a document's start", "---\nurl: u\n", "---\nid: ID\nurl: u\n"],
  [
    "a comment at a document's start",
    "%YAML 1.2\n--- # c\nurl: u\n",
    "%YAML 1.2\n--- # c\nid: ID\nurl: u\n",
  ],
  ["a list item", "- name: x\n  url: u\n", "- id: ID\n  name: x\n  url: u\n"],
  ["an item far from its dash", "-   name: x\n    url: u", "-   id: ID\n    name: x\n    url: u"],
  ["an indented list", "  - name: x\n    url: u", "  - id: ID\n    name: x\n    url: u"],
  ["an item below its dash", "-\n  name: x\n  url: u\n", "-\n  id: ID\n  name: x\n  url: u\n"],
  [
    "a comment after the dash",
    "- # c\n  name: x\n  url: u\n",
    "- # c\n  id: ID\n  name: x\n  url: u\n",
  ],
  [
    "an anchor of the mapping",
    "- &a\n  name: x\n  url: u\n",
    "- &a\n  id: ID\n  name: x\n  url: u\n",
  ],
  ["an anchor of the first key", "- &a name: x\n  url: u\n", "- id: ID\n  &a name: x\n  url: u\n"],
  ["a tag", "--- !!map # c\nurl: u\n", "--- !!map # c\nid: ID\nurl: u\n"],
  ["explicit keys", "? name\n: x\n? url\n: u\n", "id: ID\n? name\n: x\n? url\n: u\n"],
  ["double quotes", '"name": "x"\n"url": "u"\n', '"id": "ID"\n"name": "x"\n"url": "u"\n'],
  ["single quotes", "'name': x\nurl: u\n", "'id': 'ID'\n'name': x\nurl: u\n"],
  [
    "a first value that is long",
    "name: |\n  a\n  b\nurl: u\n",
    "id: ID\nname: |\n  a\n  b\nurl: u\n",
  ],
  ["wide characters", "- 名: 編🧶\n  url: u\n", "- id: ID\n  名: 編🧶\n  url: u\n"],
];

const BRACKETS: readonly Row[] = [
  ["one line", "{name: x, url: u}", "{id: ID, name: x, url: u}"],
  ["spaces inside", "{ name: x, url: u }", "{ id: ID, name: x, url: u }"],
  ["no space after the comma", "{name: x,url: u}", "{id: ID,name: x,url: u}"],
  ["a single key", "{url: u}", "{id: ID, url: u}"],
  ["a list item", "- {name: x, url: u}\n", "- {id: ID, name: x, url: u}\n"],
  ["a document's start", "--- {name: x, url: u}\n", "--- {id: ID, name: x, url: u}\n"],
  ["an anchor", "&a {name: x, url: u}", "&a {id: ID, name: x, url: u}"],
  ["an anchor of the first key", "{&a name: x, url: u}", "{id: ID, &a name: x, url: u}"],
  ["an explicit key", "{? name : x, url: u}", "{id : ID, ? name : x, url: u}"],
  ["a key without a value", "{name, url: u}", "{id: ID, name, url: u}"],
  ["nothing between key and value", "{level: [], url: u}", "{id: ID, level: [], url: u}"],
  ["brackets at the colon", "{level:[], url: u}", "{id: ID, level:[], url: u}"],
  ["separate lines", "{\n  name: x,\n  url: u,\n}\n", "{\n  id: ID,\n  name: x,\n  url: u,\n}\n"],
  [
    "comments",
    "{ # c: d\n  # {e\n  name: x, # f\n  url: u }\n",
    "{ # c: d\n  # {e\n  id: ID,\n  name: x, # f\n  url: u }\n",
  ],
  ["a comment before the next", "{name: x, # c\n url: u}", "{id: ID, name: x, # c\n url: u}"],
  ["a first key next to the bracket", "{name: x,\n url: u}", "{id: ID,\n name: x,\n url: u}"],
  ["JSON in YAML", '{"name":"x","url":"u"}', '{"id":"ID","name":"x","url":"u"}'],
  ["single quotes", "{'name': 'x', 'url': 'u'}", "{'id': 'ID', 'name': 'x', 'url': 'u'}"],
];

const JSONS: readonly Row[] = [
  ["one line", '{"name":"x","url":"u"}', '{"id":"ID","name":"x","url":"u"}'],
  ["one line with spaces", '{"name": "x", "url": "u"}', '{"id": "ID", "name": "x", "url": "u"}'],
  ["spaces inside", '{ "name": "x", "url": "u" }', '{ "id": "ID", "name": "x", "url": "u" }'],
  ["a single key", '{"url":"u"}', '{"id":"ID","url":"u"}'],
  ["a single key with spaces", '{"url": "u"}', '{"id": "ID", "url": "u"}'],
  [
    "spaces around colons",
    '{"name" : "x" , "url" : "u"}',
    '{"id" : "ID" , "name" : "x" , "url" : "u"}',
  ],
  [
    "separate lines",
    '{\n  "name": "x",\n  "url": "u"\n}\n',
    '{\n  "id": "ID",\n  "name": "x",\n  "url": "u"\n}\n',
  ],
  [
    "tabs and CRLF",
    '{\r\n\t"name": "x",\r\n\t"url": "u"\r\n}\r\n',
    '{\r\n\t"id": "ID",\r\n\t"name": "x",\r\n\t"url": "u"\r\n}\r\n',
  ],
  [
    "commas at the beginning",
    '{ "name": "x"\n, "url": "u"\n}',
    '{ "id": "ID"\n, "name": "x"\n, "url": "u"\n}',
  ],
  [
    "a blank line above the first key",
    '{\n\n    "name": "x",\n    "url": "u"}',
    '{\n\n    "id": "ID",\n    "name": "x",\n    "url": "u"}',
  ],
  [
    "a list",
    '[\n  {\n    "name": "x",\n    "url": "u"\n  }\n]',
    '[\n  {\n    "id": "ID",\n    "name": "x",\n    "url": "u"\n  }\n]',
  ],
  [
    "a list of short objects",
    '[\n  { "name": "x", "url": "u" }\n]',
    '[\n  { "id": "ID", "name": "x", "url": "u" }\n]',
  ],
  [
    "a first key that repeats within",
    '{"a":{"a":1},"url":"u"}',
    '{"id":"ID","a":{"a":1},"url":"u"}',
  ],
  ["keys that look like numbers", '{"b":1,"1":2,"url":"u"}', '{"id":"ID","b":1,"1":2,"url":"u"}'],
];

describe("an id as the first entry", () => {
  test.each(BLOCKS)("withIds inserts the id first in a block with %s", async (_, before, after) => {
    expect(await edited(before, "yaml")).toBe(after);
  });

  test.each(BRACKETS)(
    "withIds inserts the id first in YAML in brackets with %s",
    async (_, before, after) => {
      expect(await edited(before, "yaml")).toBe(after);
    },
  );

  test.each(JSONS)("withIds inserts the id first in JSON with %s", async (_, before, after) => {
    expect(await edited(before, "json")).toBe(after);
  });
});

const EMPTY: readonly Row[] = [
  ["nothing", "url: u\nid:\nname: x\n", "url: u\nid: ID\nname: x\n"],
  ["nothing at the end of the text", "url: u\nid:", "url: u\nid: ID"],
  ["a space", "id: \nurl: u\n", "id: ID\nurl: u\n"],
  ["a comment", "id: # c: d\nurl: u\n", "id: ID # c: d\nurl: u\n"],
  ["a comment further away", "id:   # c\nurl: u\n", "id: ID  # c\nurl: u\n"],
  ["null", "id: null # c\nurl: u\n", "id: ID # c\nurl: u\n"],
  ["a tilde", "url: u\nid: ~", "url: u\nid: ID"],
  ["a tilde on the next line", "id: # c\n  ~ # d\nurl: u\n", "id: # c\n  ID # d\nurl: u\n"],
  ["an empty string", 'id: ""\nurl: u\n', 'id: "ID"\nurl: u\n'],
  ["quoted keys", '"id": null\n"url": u\n', '"id": "ID"\n"url": u\n'],
  ["quoted keys and nothing", "'id':\n'url': u\n", "'id': 'ID'\n'url': u\n"],
  ["an explicit key", "? id # c: d\n:\n? url\n: u\n", "? id # c: d\n: ID\n? url\n: u\n"],
  ["an alias of nothing", "name: &n\nid: *n\nurl: u\n", "name: &n\nid: ID\nurl: u\n"],
  ["nothing in brackets", "{id: , url: u}", "{id: ID, url: u}"],
  ["nothing at all in brackets", "{id, url: u}", "{id: ID, url: u}"],
  ["nothing before a comment in brackets", "{id # c: d\n, url: u}", "{id: ID # c: d\n, url: u}"],
  ["nothing before the closing bracket", "{url: u, id:}", "{url: u, id: ID}"],
];

describe("empty ids", () => {
  test.each(EMPTY)("withIds replaces an empty id in place: %s", async (_, before, after) => {
    expect(await edited(before, "yaml")).toBe(after);
  });

  test("withIds replaces an empty id in JSON in place", async () => {
    expect(await edited('{"url":"u", "id" :null}', "json")).toBe('{"url":"u", "id" :"ID"}');
    expect(await edited('{"url":"u","id":""}', "json")).toBe('{"url":"u","id":"ID"}');
  });
});

describe("numbers of courses", () => {
  const second = { course: 1, url: "v", id: OTHER };

  test("withIds counts documents and list items as courses, but no empty documents", async () => {
    const text = "# none\n---\n---\nurl: u\n---\n~\n---\n- url: v\n- url: w\n";
    expect(await edited(text, "yaml", [FIRST, second])).toBe(
      "# none\n---\n---\nid: ID\nurl: u\n---\n~\n---\n- id: OTHER\n  url: v\n- url: w\n",
    );
  });

  test("withIds accepts ids in any order", async () => {
    expect(await edited('[{"url":"u"},{"url":"v"}]', "json", [second, FIRST])).toBe(
      '[{"id":"ID","url":"u"},{"id":"OTHER","url":"v"}]',
    );
  });
});

describe("courses that stay unchanged", () => {
  const changed = "refused: the file has changed since catalog read it";

  test("withIds changes nothing if the course already has the id in uppercase", async () => {
    const text = `url: u\nid: ${ID.toUpperCase()} # mine\n`;
    expect(await withIds(text, "yaml", [FIRST])).toEqual({ text });
  });

  test.each([
    ["has another url", "url: v\n"],
    ["has another id", `url: u\nid: ${OTHER}\n`],
    ["has an id that is not a string", "url: u\nid: 7\n"],
    ["is not an object", "- - url: u\n"],
    ["is gone", "# url: u\n"],
  ])("withIds changes nothing if the course %s", async (_, text) => {
    expect(await edited(text, "yaml")).toBe(changed);
  });

  test("withIds changes nothing if the text has a syntax error, even outside the course", async () => {
    expect(await edited("- url: u\n- name: x\n  name: y\n", "yaml")).toBe(changed);
    expect(await edited('[{"url":"u"},{"url":]', "json")).toBe(changed);
  });

  test("withIds refuses an alias, because it has no text to edit", async () => {
    const text = "- {url: u}\n- x: &a {url: v}\n- *a\n";
    expect(await edited(text, "yaml", [{ course: 2, url: "v", id: ID }])).toBe(
      "refused: the course is an alias of another value",
    );
  });

  test("withIds changes nothing in a course that an alias repeats", async () => {
    expect(await withIds("- &a\n  url: u\n- *a\n", "yaml", [FIRST])).toEqual({
      reason: "another course would also change",
      span: { start: 16, end: 18 },
    });
  });

  test("withIds changes nothing if one course gets two ids", async () => {
    const ids = [FIRST, { ...FIRST, id: OTHER }];
    expect(await edited("url: u\n", "yaml", ids)).toBe(changed);
  });

  test("withIds changes nothing if the layout has no place for an entry", async () => {
    const refused = "refused: catalog cannot edit a course in this layout";
    expect(await edited("[url: u]", "yaml")).toBe(refused);
  });

  test("withIds changes nothing if one of several courses cannot get its id", async () => {
    const ids = [FIRST, { course: 1, url: "other", id: OTHER }];
    expect(await edited("- url: u\n- url: v\n", "yaml", ids)).toBe(changed);
  });
});
