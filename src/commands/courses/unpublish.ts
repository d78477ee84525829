/** `catalog courses unpublish`: sets `published` to false. */
import { setPublished } from "./set-published.ts";

/** PATCH published=false. */
export const unpublish = setPublished(false);
