/** Tells about the rules for fields that are right by themselves and make no sense together. */
import type { RuleId } from "./problem.ts";
import { example, prose, type RuleGuide } from "./rule-guide-shape.ts";

/** Warnings about what a course says as a whole. */
export const SENSE_GUIDES = {
  markup: {
    severity: "warning",
    summary: "Descriptions are plain text without formatting.",
    explanation: prose(`
      short_description and long_description take no formatting, so HTML tags and entities and the
      signs of Markdown are likely to be shown just as they are written. Write words and line breaks
      alone.`),
    wrong: "short_description: <p>Knit your <b>first scarf</b> in six evenings.</p>",
    right: "short_description: Knit your first scarf in six evenings.",
  },
  "paid-content": {
    severity: "warning",
    summary: "A course with a price above zero does not say that all its content is free.",
    explanation: prose(`
      Free and paid content may stand beside each other, but here a price stands beside a
      paid_content that is false, or beside a free_content that is true without paid_content. Set
      paid_content to true, or take out what is wrong.`),
    wrong: example(`
      free_content: true
      prices:
        - type: single_course
          price: "49.90"
          currency: EUR`),
    right: example(`
      free_content: true
      paid_content: true
      prices:
        - type: single_course
          price: "49.90"
          currency: EUR`),
  },
  "unused-image": {
    severity: "warning",
    summary: "A course has an image_url or a video, not both.",
    explanation: prose(`
      The image is used only when no video is set. Take one of the two out; an image that belongs to
      the video is its thumbnail_url.`),
    wrong: example(`
      image_url: https://academy.example/knitting.jpg
      video:
        type: youtube
        id: dQw4w9WgXcQ`),
    right: example(`
      video:
        type: youtube
        id: dQw4w9WgXcQ
        thumbnail_url: https://academy.example/knitting.jpg`),
  },
} as const satisfies Partial<Record<RuleId, RuleGuide>>;
