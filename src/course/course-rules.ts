/** Warns of what a course may say and surely does not mean (cli.md section 7). */
import { isList, isObject, type PlainObject } from "../base/values.ts";
import type { Rule } from "./shape.ts";

const TAG =
  /<\/(?:a|b|blockquote|code|div|em|h[1-6]|i|li|ol|p|pre|script|section|small|span|strong|style|sub|sup|table|td|th|tr|u|ul)>|\S<br ?\/?>|<br ?\/?>\S|<(?:a|div|img|p|span) [a-z-]+=/i;
const ENTITY =
  /&(?:amp|apos|gt|hellip|laquo|[lmnr](?:dash|dquo|squo)|lt|nbsp|quot|raquo|#\d+|#x[\da-f]+);/i;
const MARKDOWN =
  /!?\[[^[\]\n]+\]\((?:https?:|\/)[^()\s]*\)|(?<![\w*/])\*\*(?=\S)[^*\n]*[^*\s]\*\*(?![\w*])|^#{1,6} +[^\d\s]/m;

/** Descriptions: plain text, in which formatting is shown as it is written. */
export const plainDescriptions: Rule = {
  check: (course, path, report) => {
    for (const field of ["short_description", "long_description"]) {
      const text = course[field];
      if (typeof text !== "string") continue;
      const found = formatting(text);
      if (found === undefined) continue;
      report({
        rule: "markup",
        severity: "warning",
        path: [...path, field],
        message: `${field} is plain text, but holds formatting: ${shortened(found)}`,
      });
    }
  },
};

/** The first sign of formatting. Most texts lack even the characters that it takes. */
function formatting(text: string): string | undefined {
  const found =
    (text.includes("<") ? TAG.exec(text) : null) ??
    (text.includes("&") ? ENTITY.exec(text) : null) ??
    (/\]\(|\*\*|#/.test(text) ? MARKDOWN.exec(text) : null);
  return found?.[0];
}

const LONGEST_EXCERPT = 30;

function shortened(text: string): string {
  return text.length > LONGEST_EXCERPT ? `${text.slice(0, LONGEST_EXCERPT)}…` : text;
}

/** Prices: a course that costs something has paid content. */
export const paidContent: Rule = {
  check: (course, path, report) => {
    const { free_content: free, paid_content: paid } = course;
    if (paid === true || (free !== true && paid !== false)) return;
    const index = isList(course.prices) ? course.prices.findIndex(costsSomething) : -1;
    if (index === -1) return;
    const field = paid === false ? "paid_content" : "free_content";
    const said = paid === false ? "paid_content is false" : "free_content stands alone";
    report({
      rule: "paid-content",
      severity: "warning",
      path: [...path, field],
      message: `${said}, but prices[${index}] is above zero: set paid_content to true`,
      ...(paid === false ? { suggestion: "true" } : {}),
    });
  },
};

function costsSomething(price: unknown): boolean {
  if (!isObject(price)) return false;
  return [price.price, price.total_price].some(
    (amount) => typeof amount === "string" && /[1-9]/.test(amount),
  );
}

/** Image: shown only where there is no video. */
export const unusedImage: Rule = {
  check: (course, path, report) => {
    if (!isGiven(course, "image_url") || !isGiven(course, "video")) return;
    report({
      rule: "unused-image",
      severity: "warning",
      at: "key",
      path: [...path, "image_url"],
      message: "image_url is shown only without a video: video.thumbnail_url is for the video",
    });
  },
};

/** Slug: the service makes its own, of lower-case letters, digits and hyphens. */
export const ownSlug: Rule = {
  check: (course, path, report) => {
    const { slug } = course;
    if (typeof slug !== "string") return;
    const usual = /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(slug);
    report({
      rule: usual ? "own-slug" : "slug-form",
      severity: "warning",
      at: usual ? "key" : "value",
      path: [...path, "slug"],
      message: usual
        ? "slug is made by the service, which need not take this one"
        : "slug is not like those of the service, which makes its own: a-z, 0-9 and single hyphens",
    });
  },
};

function isGiven(course: PlainObject, field: string): boolean {
  return course[field] !== undefined && course[field] !== null;
}
