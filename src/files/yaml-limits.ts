/** Finds where the aliases of a YAML text stand for too much, from the parser's events. */
import { EVENT_ID, type Event } from "js-yaml";
import type { Span } from "./position.ts";

/** The alias with which the values, every alias written out, become more than allowed. */
export function tooManyAt(
  events: readonly Event[],
  text: string,
  allowed: number,
): Span | undefined {
  const sizes = new Map<string, number>();
  const open: { anchor: string; before: number }[] = [];
  let count = 0;
  let added = 0;
  for (const event of events) {
    if (event.type === EVENT_ID.POP) {
      const closed = open.pop();
      if (closed !== undefined) sizes.set(closed.anchor, count - closed.before);
    } else if (event.type === EVENT_ID.ALIAS) {
      const name = text.slice(event.anchorStart, event.anchorEnd);
      // An alias within what it stands for has no end; one of nothing is a mistake of another kind.
      const isWithin = open.some(({ anchor }) => anchor === name);
      const size = sizes.get(name) ?? (isWithin ? Number.POSITIVE_INFINITY : 0);
      count += size;
      added += size;
      if (added > allowed) return { start: event.anchorStart - 1, end: event.anchorEnd };
    } else {
      const anchor = "anchorStart" in event ? text.slice(event.anchorStart, event.anchorEnd) : "";
      if (event.type === EVENT_ID.SCALAR) sizes.set(anchor, 1);
      else {
        if (anchor !== "") sizes.delete(anchor);
        open.push({ anchor, before: count });
      }
      if (event.type === EVENT_ID.DOCUMENT) sizes.clear();
      else count++;
    }
  }
  return undefined;
}
