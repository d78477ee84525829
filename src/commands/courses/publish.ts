/** `catalog courses publish`: sets `published` to true. */
import { setPublished } from "./set-published.ts";

/** PATCH published=true. */
export const publish = setPublished(true);
