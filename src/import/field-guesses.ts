/** What other systems call the fields of a course, and which of their columns fit. */
import {
  allLanguages,
  allMatch,
  hasLevels,
  hasLongTexts,
  hasUrls,
  hasVideos,
  isText,
  writeDuration,
  writeLanguages,
  writeLevels,
  writePace,
  writePeople,
  writePlainText,
  writePrices,
  writePublished,
  writeString,
  writeTopics,
  writeUrl,
} from "./expressions.ts";
import { type SourceColumn, textsOf, words } from "./source-columns.ts";

/** How a field is found among the columns. */
export interface Guess {
  readonly field: string;
  /**
   * Names of columns without case and punctuation, the best first: a line of English ones, then of German, French
   * and Spanish ones, with Moodle's first.
   */
  readonly names: readonly string[];
  /** The expression for a column; undefined if its values do not fit. @param use for other columns in it */
  readonly write: (
    column: SourceColumn,
    columns: readonly SourceColumn[],
    use: (column: SourceColumn) => void,
  ) => string | undefined;
  /** Whether the values of a column with another name are those of the field. */
  readonly fits?: (column: SourceColumn) => boolean;
  /** Whether a column that another field uses may be used again. */
  readonly isShared?: true;
  /** What to write if there is no column. */
  readonly missing?: { readonly value: string; readonly note: string };
}

/** Every field for which columns are searched, in the order of a course file. */
export const FIELD_GUESSES: readonly Guess[] = [
  {
    field: "key",
    names: words(
      "key sku idnumber courseid coursekey externalid uuid id shortname code coursecode slug",
      "kursid kursnummer objektid kurzerkursname kurzname nummer",
      "numerodidentificationducours nomabregeducours nomabrege identifiant",
      "numeroiddelcurso nombrecortodelcurso nombrecorto codigo identificador",
    ),
    write: writeString,
  },
  {
    field: "name",
    names: words(
      "name title fullname titlerendered coursename coursetitle posttitle displayname",
      "vollstandigerkursname kursname kurstitel titel bezeichnung",
      "nomcompletducours nomducours intituleducours intitule titre nom",
      "nombrecompletodelcurso nombredelcurso titulodelcurso titulo nombre",
    ),
    write: writePlainText,
    missing: { value: '""', note: "required: no column found" },
  },
  {
    field: "url",
    names: words(
      "url link courseurl permalink weburl marketingurl courseabout abouturl homepage guid href address",
      "kursurl kurslink webadresse adresse",
      "urlducours liencours lienducours lien adresse",
      "urldelcurso enlacedelcurso enlace direccion",
    ),
    write: writeUrl,
    fits: (column) =>
      allMatch(column, /^https?:\/\/(?!.*\/api\/)(?!.*\.(?:png|jpe?g|gif|webp|svg|mp4)$)/i) &&
      !hasVideos(column),
    missing: {
      value: '""',
      note: 'required: no column found; for example, "https://academy.example/courses/" & id',
    },
  },
  {
    field: "short_description",
    names: words(
      "shortdescription subtitle excerptrendered excerpt teaser tagline headline summary coursesummary description coursedescription",
      "kurzbeschreibung kursbeschreibung beschreibung",
      "descriptioncourte resumecourt accroche soustitre resumeducours resume",
      "descripcioncorta descripcionbreve subtitulo resumendelcurso resumen descripcion",
    ),
    write: (column) => {
      const text = writePlainText(column);
      const isLong = textsOf(column).some((value) => value.length > 300);
      return isLong ? `$substring(${text}, 0, 200)` : text;
    },
    fits: hasLongTexts,
    missing: { value: '""', note: "required: no column found" },
  },
  {
    field: "long_description",
    names: words(
      "longdescription fulldescription contentrendered description coursedescription content overview summary coursesummary body postcontent about shortdescription",
      "kursbeschreibung beschreibung kursinhalt inhalt",
      "resumeducours descriptionducours resume contenu presentation",
      "resumendelcurso descripciondelcurso descripcion resumen contenido",
    ),
    write: writePlainText,
    isShared: true,
    fits: hasLongTexts,
    missing: { value: '""', note: "required: no column found" },
  },
  {
    field: "audio",
    names: words(
      "audio language languages lang courselanguage contentlanguage inlanguage locale",
      "kurssprache unterrichtssprache sprache sprachen",
      "langueducours langue langues",
      "idiomadelcurso idioma idiomas",
    ),
    write: writeLanguages,
    fits: (column) =>
      !allMatch(column, /^\d/) && allMatch(column, /^.{2,30}$/) && allLanguages(column),
    missing: { value: '["en"]', note: "required: no column found; the languages spoken" },
  },
  {
    field: "provider",
    names: words("provider providerslug"),
    write: writePlainText,
    missing: {
      value: '""',
      note: 'required: the slug of your provider ("catalog providers ls"), or leave it empty and set it in catalog.defaults.yaml',
    },
  },
  {
    field: "pace",
    names: words(
      "pace pacing coursepacing pacingtype selfpaced isselfpaced coursemode mode delivery format",
    ),
    write: writePace,
    missing: { value: '"self_paced"', note: "required: no column found; or instructor_paced" },
  },
  {
    field: "published",
    names: words(
      "published ispublished visible poststatus status active enabled hidden",
      "kurssichtbarkeit sichtbar veroffentlicht aktiv",
      "visibiliteducours publie actif",
      "visibilidaddelcurso publicado activo",
    ),
    write: writePublished,
  },
  {
    field: "prices",
    names: words(
      "price cost regularprice coursefee fee amount priceamount courseprice pricetypepaynowprice pricetypebuynowprice",
      "preis kurspreis kursgebuhr gebuhr kosten",
      "prix tarif cout",
      "precio coste costo",
    ),
    fits: (column) => allMatch(column, /^(?:[€£$₴¥]\s?\d[\d.,]*|\d[\d.,]*\s?[€£₴])$/),
    write: writePrices,
  },
  {
    field: "offered_by",
    names: words(
      "organization organisation org institution university school partner",
      "veranstalter einrichtung hochschule universitat",
      "organisme etablissement universite",
      "organizacion institucion universidad entidad",
    ),
    write: (column) =>
      isText(column)
        ? `[{ "type": "other", "name": ${column.expression}, "main": true }]`
        : undefined,
  },
  {
    field: "video",
    names: words(
      "video videourl introvideo coursevideo coursevideouri trailer promovideo mediacoursevideouri previewvideo",
    ),
    fits: hasVideos,
    write: (column) => (hasUrls(column) ? `$video(${column.expression})` : undefined),
  },
  { field: "free_content", names: words("freecontent isfree free"), write: writePublished },
  { field: "paid_content", names: words("paidcontent ispaid paid"), write: writePublished },
  {
    field: "level",
    names: words(
      "level difficulty difficultylevel skilllevel courselevel levels",
      "niveau kursniveau schwierigkeitsgrad",
      "niveau difficulte",
      "nivel dificultad",
    ),
    fits: hasLevels,
    write: writeLevels,
  },
  {
    field: "instructors",
    names: words(
      "instructors instructor instructorname teachers teacher teachername trainer author authors staff",
      "dozentin dozent dozenten trainerin kursleitung leitung referentin referent",
      "enseignante enseignant enseignants formateur formatrice intervenant",
      "profesora profesor profesores docente docentes formador",
    ),
    write: writePeople,
  },
  {
    field: "what_you_will_learn",
    names: words(
      "whatyouwilllearn learningoutcomes outcomes objectives learningobjectives",
      "lernziele lerninhalte",
      "objectifspedagogiques objectifs",
      "objetivosdeaprendizaje objetivos",
    ),
    write: writeTopics,
  },
  {
    field: "subtitles_text",
    names: words(
      "subtitlestext subtitles subtitlelanguages captions transcripts transcriptlanguages",
      "untertitel",
      "soustitres",
      "subtitulos",
    ),
    write: writeLanguages,
  },
  {
    field: "image_url",
    names: words(
      "imageurl image courseimage courseimageurl thumbnail thumbnailurl featuredimage featuredimageurl featuredmediaurl jetpackfeaturedmediaurl cover mediacourseimageuri mediaimageraw raw",
      "kursbild titelbild vorschaubild bild",
      "vignette",
      "imagen portada",
    ),
    write: writeUrl,
  },
  {
    field: "number_of_lessons",
    names: words(
      "numberoflessons lessons lessonscount lessoncount numlessons numlectures numsections totallessons",
      "anzahllektionen lektionen",
      "nombredelecons lecons",
      "numerodelecciones lecciones",
    ),
    write: (column) => (allMatch(column, /^\d+$/) ? `$number(${column.expression})` : undefined),
  },
  {
    field: "duration_in_hours",
    names: words(
      "durationinhours duration contentduration hours courselength totalduration estimatedtime estimatedhours length timerequired effort",
      "kursdauer dauer umfang stunden",
      "duree heures",
      "duracion horas",
    ),
    write: writeDuration,
  },
];
