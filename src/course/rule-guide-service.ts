/** Tells about the rules that depend on what the service holds: providers, ids, its own refusals. */
import type { RuleId } from "./problem.ts";
import { example, prose, type RuleGuide } from "./rule-guide-shape.ts";

/** When the rules that need the user's providers are checked; one sentence. */
const ONLINE = "This is checked by check --online, and before a provider or a url is sent.";

/** Rules of providers, of the page's host, and of one course on the service. */
export const SERVICE_GUIDES = {
  "provider-twice": {
    severity: "error",
    summary: "A course names its provider by provider_id or by provider, not by both.",
    explanation: prose(`
      provider takes the slug, domain or name of a provider and stands in place of provider_id. Both
      say the same thing twice, or two different things. Keep one: with provider, the same file
      serves several environments.`),
    wrong: example(`
      provider: example-academy
      provider_id: 6f0f8a34-4f3b-4c58-9d7e-0d0c3c1f5b21`),
    right: "provider: example-academy",
  },
  "provider-unknown": {
    severity: "error",
    summary: "provider names exactly one of your providers.",
    explanation: prose(`
      It is the slug, domain or name of the provider as providers ls shows them, or its id. Where one
      word stands for several providers, write the id of the one that is meant. ${ONLINE}`),
    wrong: "provider: exmaple-academy",
    right: "provider: example-academy",
  },
  "provider-owned": {
    severity: "error",
    summary: "provider_id is the id of one of your providers.",
    explanation: prose(`
      A course can be put only on a provider that belongs to the user of the API key. Look at
      providers ls, and at the key: that of another user or another service has other providers.
      ${ONLINE}`),
    wrong: "provider_id: 0b6ec7b5-6c8b-4a5e-9f1d-2f4c9b1e7a10",
    right: "provider_id: 6f0f8a34-4f3b-4c58-9d7e-0d0c3c1f5b21",
  },
  "url-host": {
    severity: "error",
    summary: "The page of a course lies on the site of one of your providers.",
    explanation: prose(`
      The host of url is the domain of a provider, the host of its site, or below one of them, such
      as www.academy.example. A new site is added in the developer dashboard of the service.
      ${ONLINE}`),
    wrong: "url: https://elsewhere.example/knitting",
    right: "url: https://academy.example/knitting",
  },
  "url-other-provider": {
    severity: "warning",
    summary: "The page of a course lies on the site of the course's own provider.",
    explanation: prose(`
      The host of url is that of one of your providers, but not of the one that the course names.
      Probably one of the two was copied from another course. ${ONLINE}`),
    wrong: example(`
      url: https://school.example/knitting
      provider: example-academy`),
    right: example(`
      url: https://school.example/knitting
      provider: example-school`),
  },
  "other-id": {
    severity: "error",
    summary: "A file for courses update holds the course that is to be updated, or names no id.",
    explanation: prose(`
      An id cannot be changed, so when the file has another id than the command line, one of them is
      a mistake. Take the id out of the file, or give courses update that id.`),
    wrong: example(`
      # catalog courses update 0b6ec7b5-6c8b-4a5e-9f1d-2f4c9b1e7a10 knitting.yaml
      id: 5d3ff1c8-90f1-4c1c-8b6e-3c54e9a2d7f4
      name: Knitting for Everyone`),
    right: example(`
      # catalog courses update 0b6ec7b5-6c8b-4a5e-9f1d-2f4c9b1e7a10 knitting.yaml
      name: Knitting for Everyone`),
  },
  "same-course": {
    severity: "error",
    summary: "Each course of the catalog is described by one file only.",
    explanation: prose(`
      push matches a course by its id, or else by its url. Two of the given courses lead to the same
      one that way, such as one by its id and the other by its url, and would undo each other's
      changes. Put them together, or give the one that is new a url of its own. This is checked by
      push and diff.`),
  },
  "several-courses": {
    severity: "error",
    summary: "A course without an id is told apart by its url.",
    explanation: prose(`
      Several courses of the catalog have the url that the file gives, and it does not say which one
      is meant. Write the id of that one into the file; courses ls shows them. This is checked by
      push and diff.`),
  },
  service: {
    severity: "error",
    summary: "The service takes the course.",
    explanation: prose(`
      The course passed every check that can be made here, and the service refused it all the same.
      The finding gives the words of the service and, where they name a field, its place. Change
      what they ask for and send the course again.`),
  },
} as const satisfies Partial<Record<RuleId, RuleGuide>>;
