/** What columns are called in German, French and Spanish, as simplified names. */
import { words } from "./source-columns.ts";

const names = (...lines: readonly string[]): readonly string[] => lines.flatMap(words);

/** The names by field: a line for each language, with Moodle's names of columns first. */
export const FOREIGN_NAMES: Readonly<Record<string, readonly string[]>> = {
  key: names(
    "kursid kursnummer objektid kurzerkursname kurzname nummer",
    "numerodidentificationducours nomabregeducours nomabrege identifiant",
    "numeroiddelcurso nombrecortodelcurso nombrecorto codigo identificador",
  ),
  name: names(
    "vollstandigerkursname kursname kurstitel titel bezeichnung",
    "nomcompletducours nomducours intituleducours intitule titre nom",
    "nombrecompletodelcurso nombredelcurso titulodelcurso titulo nombre",
  ),
  url: names(
    "kursurl kurslink webadresse adresse",
    "urlducours liencours lienducours lien adresse",
    "urldelcurso enlacedelcurso enlace direccion",
  ),
  short_description: names(
    "kurzbeschreibung kursbeschreibung beschreibung",
    "descriptioncourte resumecourt accroche soustitre resumeducours resume",
    "descripcioncorta descripcionbreve subtitulo resumendelcurso resumen descripcion",
  ),
  long_description: names(
    "kursbeschreibung beschreibung kursinhalt inhalt",
    "resumeducours descriptionducours resume contenu presentation",
    "resumendelcurso descripciondelcurso descripcion resumen contenido",
  ),
  audio: names(
    "kurssprache unterrichtssprache sprache sprachen",
    "langueducours langue langues",
    "idiomadelcurso idioma idiomas",
  ),
  published: names(
    "kurssichtbarkeit sichtbar veroffentlicht aktiv",
    "visibiliteducours publie actif",
    "visibilidaddelcurso publicado activo",
  ),
  prices: names(
    "preis kurspreis kursgebuhr gebuhr kosten",
    "prix tarif cout",
    "precio coste costo",
  ),
  offered_by: names(
    "veranstalter einrichtung hochschule universitat",
    "organisme etablissement universite",
    "organizacion institucion universidad entidad",
  ),
  level: names("niveau kursniveau schwierigkeitsgrad", "niveau difficulte", "nivel dificultad"),
  instructors: names(
    "dozentin dozent dozenten trainerin kursleitung leitung referentin referent",
    "enseignante enseignant enseignants formateur formatrice intervenant",
    "profesora profesor profesores docente docentes formador",
  ),
  what_you_will_learn: names(
    "lernziele lerninhalte",
    "objectifspedagogiques objectifs",
    "objetivosdeaprendizaje objetivos",
  ),
  subtitles_text: names("untertitel", "soustitres", "subtitulos"),
  image_url: names("kursbild titelbild vorschaubild bild", "vignette", "imagen portada"),
  number_of_lessons: names(
    "anzahllektionen lektionen",
    "nombredelecons lecons",
    "numerodelecciones lecciones",
  ),
  duration_in_hours: names("kursdauer dauer umfang stunden", "duree heures", "duracion horas"),
};
