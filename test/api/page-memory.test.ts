/** Bodies that come in pieces into memory that is used again. */
import { describe, expect, test } from "vitest";
import { Page, PageMemory } from "../../src/api/page-memory.ts";

const HEAD = { status: 200, reason: "OK", headers: {} };

/** A page whose body comes in pieces of so many bytes. */
function pageOf(memory: PageMemory, text: string, size = 7): Page {
  const bytes = Buffer.from(text);
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size) pieces.push(bytes.subarray(at, at + size));
  return new Page(HEAD, pieces, memory);
}

describe("the text of an answer", () => {
  test.each([
    "",
    "plain",
    "naïve",
    "編み物 🧶, in pieces that cut characters",
    "\ufeff[]",
    "\u0000\u007f",
  ])("is that of its bytes: %j", (text) => {
    expect(pageOf(new PageMemory(1), text, 1).text).toBe(text);
  });

  test("shows what is no UTF-8 as the sign for it", () => {
    const page = new Page(HEAD, [Buffer.from([0x61, 0xff, 0x62])], new PageMemory(1));
    expect(page.text).toBe("a\ufffdb");
  });

  test("is the same each time, whatever came into its memory since", () => {
    const memory = new PageMemory(1);
    const first = pageOf(memory, "a".repeat(1000));
    expect(first.text).toBe("a".repeat(1000));
    const second = pageOf(memory, "b".repeat(2000));
    expect([first.text, second.text]).toEqual(["a".repeat(1000), "b".repeat(2000)]);
  });

  test("holds nothing of a longer one that was there before", () => {
    const memory = new PageMemory(1);
    expect(pageOf(memory, "long ".repeat(100)).text).toHaveLength(500);
    expect(pageOf(memory, "short").text).toBe("short");
  });

  test("is its own while others wait, in whatever order they are read", () => {
    const memory = new PageMemory(2);
    const texts = ["one", "two ".repeat(100_000), "three", "fünf", "six"];
    const pages = texts.map((text) => pageOf(memory, text, 4096));
    expect(pages.reverse().map(({ text }) => text)).toEqual(texts.reverse());
  });
});

describe("the memory of pages", () => {
  const gathered = (memory: PageMemory, length: number) =>
    memory.gathered([Buffer.alloc(length)]).room;

  test("is used again, by bodies that fit", () => {
    const memory = new PageMemory(1);
    const room = gathered(memory, 200_000);
    memory.giveBack(room);
    expect(gathered(memory, 210_000)).toBe(room);
    expect(gathered(memory, 210_000)).not.toBe(room);
  });

  test("keeps no more than it is to, and nothing very large", () => {
    const memory = new PageMemory(1);
    const [one, two, large] = [100, 200, 2 ** 22].map((length) => gathered(memory, length));
    if (one === undefined || two === undefined || large === undefined) throw new Error("no room");
    for (const room of [large, one, two]) memory.giveBack(room);
    expect(gathered(memory, 1)).toBe(one);
    expect([two, large]).not.toContain(gathered(memory, 1));
  });
});
