/** Contains the built-in mapping for schema.org courses, which `--map schema.org` selects. */
import { isObject, type PlainObject } from "../base/values.ts";
import { amountOf } from "./quantities.ts";

/** The name of the mapping on the command line. */
export const SCHEMA_ORG = "schema.org";

/** The mapping. In schema.org, a value may be single or in a list, and a name may replace an object. */
export const SCHEMA_ORG_MAPPING = `(
  $nameOf := function($value) { $type($value) = "string" ? $value : ($value.name)[0] };
  $id := $."@id"[$type($) = "string" and $contains($, /^https?:/)];
  $description := $plainText(description[0]);
  $instances := hasCourseInstance;
  $modes := $lowercase($join([$instances.courseMode.$string(), courseMode.$string()], " "));
  $images := image[0];
  $offers := $append(offers, $instances.offers).$merge([priceSpecification[0], $]);
  $isFree := function($offer) { $lowercase($string($offer.category)) = "free" or $number($price($offer.price)) = 0 };
  $people := $append($instances.instructor, instructor);
  {
    "key": courseCode[0],
    "name": $plainText(name[0]),
    "url": [url[$type($) = "string"], $id.$substringBefore("#")][0],
    "short_description": $replace($description, /^(?=[^]{201})([^]{0,198}\\S)\\s[^]*$/, "$1…"),
    "long_description": $description,
    "audio": $languages($append(inLanguage, $instances.inLanguage).($type($) = "object" ? ($exists(alternateName) ? alternateName : name) : $)),
    "pace": $contains($modes, /instructor|live|onsite|blended|synchronous/) and $not($contains($modes, /self|asynchronous/)) ? "instructor_paced" : "self_paced",
    "prices": [$offers[$number($price(price)) > 0 and $exists(priceCurrency)].{
      "type": $contains($lowercase($string(category)), "subscription") ? "subscription" : "single_course",
      "price": $price(price),
      "currency": priceCurrency
    }],
    "offered_by": [provider[$exists($nameOf($))].{
      "type": $."@type" = "CollegeOrUniversity" ? "university" : "other",
      "name": $nameOf($)
    }],
    "video": $video(video[0].($exists(embedUrl) ? embedUrl : $exists(contentUrl) ? contentUrl : url)),
    "free_content": isAccessibleForFree = true or $lowercase($string(isAccessibleForFree)) = "true" or ($exists($offers) and $count($offers[$not($isFree($))]) = 0) ? true,
    "level": [educationalLevel.$lowercase($type($) = "object" ? name : $string($))[$ in ["beginner", "intermediate", "advanced"]]],
    "instructors": [$people[$exists($nameOf($))].{ "name": $nameOf($) }],
    "what_you_will_learn": [teaches.{ "title": $type($) = "string" ? $plainText($) : $nameOf($) }],
    "syllabus": [syllabusSections.{
      "title": $nameOf($),
      "description": $plainText(description)
    }],
    "image_url": $type($images) = "object" ? ($exists($images.url) ? $images.url : $images.contentUrl) : $images,
    "duration_in_hours": [timeRequired.$hours($), hasCourseInstance.(courseWorkload.$hours($)), hasCourseInstance.(duration.$hours($)), duration.$hours($)][0]
  }
)`;

/**
 * The offers of a schema.org course, and whether each is used: as a price with its currency or, if all are free, as
 * free content. A range of prices and a price without a currency are not.
 */
export function offersOf(
  row: unknown,
): readonly { readonly offer: unknown; readonly isUsed: boolean }[] {
  const { offers, hasCourseInstance }: PlainObject = Object(row);
  const inside = [hasCourseInstance].flat().map((each) => Object(each).offers);
  const found = [offers, ...inside]
    .flat()
    .filter(isObject)
    .map((offer) => {
      const all: PlainObject = { ...Object([offer.priceSpecification].flat()[0]), ...offer };
      const amount = Number(amountOf(all.price));
      const isFree = amount === 0 || String(all.category).toLowerCase() === "free";
      return {
        offer: all.price ?? offer,
        isFree,
        isPrice: amount > 0 && all.priceCurrency !== undefined,
      };
    });
  const areFree = found.every(({ isFree }) => isFree);
  return found.map(({ offer, isPrice }) => ({ offer, isUsed: areFree || isPrice }));
}
