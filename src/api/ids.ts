/** Remembers the ids of a long listing in little memory. */
import { isUuid } from "../base/uuid.ts";

/** Numbers of 32 bits that make up a UUID. */
const WORDS = 4;
/** Places for ids in the first table; always a power of two. */
const FIRST = 1024;
/** How full a table gets: beyond that, the way to a free place is long. */
const FULL = 7 / 8;

/**
 * A set of ids. A UUID is the same in either case, and takes up 16 bytes in a table that the garbage
 * collector does not look into: as texts, the ids would be most of what `ls --all` holds.
 */
export class Ids {
  /**
   * Of each id four numbers, where their mixture says or steps from there; four times 0 is a free place. Each
   * table is twice as large as the one before, and all but the last are full: none is ever copied.
   */
  readonly #tables = [tableFor(FIRST)];
  #placed = 0;
  /** How many places are taken when the last table is full. */
  #room = FIRST * FULL;
  /** What is no UUID, and the one that looks like a free place. */
  readonly #others = new Set<string>();
  /** The id that is looked at. */
  readonly #words = new Uint32Array(WORDS);
  readonly #seed: number;

  /** @param chance from 0 to below 1: else a service could choose ids that all meet at one place */
  constructor(chance: number) {
    this.#seed = chance * 2 ** 32;
  }

  /** How many there are. */
  get size(): number {
    return this.#placed + this.#others.size;
  }

  /** @returns whether it is new */
  add(id: string): boolean {
    if (!isUuid(id)) return this.#addOther(id);
    const words = readWords(id, this.#words);
    if (words.every((word) => word === 0)) return this.#addOther(NIL);
    const mixture = mixed(words, this.#seed);
    let last: Uint32Array = FREE;
    let place = 0;
    for (const table of this.#tables) {
      last = table;
      place = placeOf(words, table, mixture);
      if (!isAt(FREE, table, place)) return false;
    }
    last.set(words, place);
    this.#placed++;
    if (this.#placed >= this.#room) this.#makeRoom(last.length / WORDS);
    return true;
  }

  #addOther(id: string): boolean {
    const before = this.#others.size;
    return this.#others.add(id).size > before;
  }

  #makeRoom(places: number): void {
    this.#tables.push(tableFor(places * 2));
    this.#room += places * 2 * FULL;
  }
}

const FREE = new Uint32Array(WORDS);
const NIL = "00000000-0000-0000-0000-000000000000";

function tableFor(places: number): Uint32Array {
  return new Uint32Array(places * WORDS);
}

/** Where the id lies in a table, or where it would: a free place. */
function placeOf(id: Uint32Array, table: Uint32Array, mixture: number): number {
  const mask = table.length - 1;
  // Ids that meet at one place part again, since their steps differ; an odd one leads everywhere.
  const step = ((mixture >>> 16) | 1) * WORDS;
  let place = (mixture * WORDS) & mask;
  while (!isAt(FREE, table, place) && !isAt(id, table, place)) place = (place + step) & mask;
  return place;
}

function isAt(id: Uint32Array, table: Uint32Array, place: number): boolean {
  for (let index = 0; index < WORDS; index++) {
    if (table[place + index] !== id[index]) return false;
  }
  return true;
}

/** A number that is far off for ids that differ little. */
function mixed(id: Uint32Array, seed: number): number {
  let mixture = seed;
  for (const word of id) {
    mixture = Math.imul(mixture ^ word, 0x9e3779b1);
    mixture ^= mixture >>> 15;
  }
  return mixture >>> 0;
}

/** Puts the digits of a UUID, of either case, into four numbers. */
function readWords(id: string, words: Uint32Array): Uint32Array {
  let digits = 0;
  for (let index = 0; index < id.length; index++) {
    const code = id.charCodeAt(index);
    if (code === HYPHEN) continue;
    // Digits stand before letters; capitals and small letters differ in one bit.
    const value = code <= NINE ? code - ZERO : (code | 0x20) - BEFORE_TEN;
    const word = digits >> 3;
    words[word] = ((words[word] ?? 0) << 4) | value;
    digits++;
  }
  return words;
}

const HYPHEN = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;
/** The code of `a` without the ten that it means. */
const BEFORE_TEN = 0x61 - 10;
