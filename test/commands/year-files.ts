/** Writes the course files of a year: 300 courses in the hand-formatted styles of several authors. */

/** A course file. */
export interface YearFile {
  /** The name without a folder, such as `knitting-basics.yaml`. */
  readonly name: string;
  /** The folder that it moves into. */
  readonly subject: string;
  readonly text: string;
}

/** What a style writes. */
interface Facts {
  readonly name: string;
  readonly slug: string;
  readonly topic: string;
  readonly price: string;
  readonly lessons: number;
  readonly level: string;
  readonly language: string;
  readonly teacher: string;
}

const SUBJECTS: Readonly<Record<string, readonly string[]>> = {
  crafts: ["Knitting", "Weaving", "Pottery", "Bookbinding", "Basketry"],
  food: ["Sourdough", "Cheese Making", "Fermentation", "Pasta", "Chocolate"],
  gardening: ["Beekeeping", "Composting", "Roses", "Fruit Trees", "Raised Beds"],
  history: ["Ancient Rome", "Medieval Towns", "The Silk Road", "Byzantium", "The Hanse"],
  languages: ["Portuguese", "Українська", "日本語", "Latin", "Español"],
  mathematics: ["Algebra", "Geometry", "Probability", "Graph Theory", "Calculus"],
  music: ["Piano", "Harmony", "Choir Singing", "Guitar", "Sound Recording"],
  programming: ["Python", "TypeScript", "SQL", "Git", "Regular Expressions"],
  science: ["Astronomy", "Botany", "Chemistry", "Geology", "Optics"],
  writing: ["Short Stories", "Screenplays", "Poetry", "Essays", "Translation"],
};
const EDITIONS = ["Basics", "in Practice", "for Teachers", "Workshop", "Masterclass", "in a Week"];
const TEACHERS = ["Ada Lovelace", "Inês Duarte", "Олена Коваль", "Søren Holm", "O'Brien, Máire"];

/** How different authors lay out their files: comments, quotes, lists, anchors and line ends. */
const STYLES: readonly ((facts: Facts) => string)[] = [
  (it) => `# ${it.name}: reviewed by the editors, spring.
name: ${it.name}
url: https://academy.example/${it.slug}   # also printed in the brochure
provider: example-academy

short_description: ${it.topic}, explained from the beginning.
long_description: |
  ${it.topic} in ${it.lessons} lessons.

  No experience is needed.
audio: [${it.language}]
pace: self_paced
level: [${it.level}]
number_of_lessons: ${it.lessons}
prices:
  # Gross, with tax.
  - type: single_course
    price: "${it.price}"   # keep below 200
    currency: EUR
image_url: https://academy.example/images/${it.slug}.png # 16:9
`,
  (it) => `name:              "${it.name}"
url:               'https://academy.example/${it.slug}'
provider:          example-academy
# The two texts were written by the marketing team.
short_description: "All about ${it.topic}."
long_description:  >-
    Learn ${it.topic} with ${it.teacher}, step by step:
    ${it.lessons} lessons, each with an exercise.
audio:             [ ${it.language}, pt-BR ]
pace:              instructor_paced
prices:            [ { type: single_course, price: '${it.price}', currency: USD } ]   # list price
instructors:
    - name: "${it.teacher}"   # main teacher
      main: true
image_url:         "https://academy.example/images/${it.slug}.png"
`,
  (it) => `name: ${it.name}
x-cms:   # for our own scripts
  page: ${it.slug}
  owner: &owner editorial
  reviewer: *owner
url: https://academy.example/${it.slug}
provider: example-academy
short_description: 'A course about ${it.topic}. It''s for everyone.'
long_description: &long ${it.topic}, from first steps to a project of your own.
audio:
- ${it.language}
pace: self_paced
image_url: https://academy.example/images/${it.slug}.png   # photo by the author
prices:
- {type: single_course, price: "${it.price}", currency: EUR}
what_you_will_learn:
- title: First steps
  description: *long
# Next: add a video.
`,
];

/** Numbers from 0 to below 1 that look random and are the same every time. */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return state / 0x8000_0000;
  };
}

/** Six editions of each topic of each subject, always the same. */
export function yearFiles(): YearFile[] {
  const random = seededRandom(2026);
  const choose = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  // Few authors use anchors.
  const weighted = [...STYLES, ...STYLES.slice(0, 2)];
  const files: YearFile[] = [];
  for (const [subject, topics] of Object.entries(SUBJECTS)) {
    for (const [number, topic] of topics.entries()) {
      for (const edition of EDITIONS) {
        const name = `${topic} ${edition}`;
        const slug = `${subject}-${number + 1}-${edition.toLowerCase().replaceAll(" ", "-")}`;
        const text = choose(weighted)({
          ...{ name, slug, topic, language: choose(["en", "de", "uk", "pt-PT"]) },
          price: `${20 + Math.floor(random() * 100)}.${choose(["00", "50", "90"])}`,
          lessons: 4 + Math.floor(random() * 30),
          level: choose(["beginner", "intermediate", "beginner, advanced"]),
          teacher: choose(TEACHERS),
        });
        // Some authors work on Windows.
        const windows = random() < 0.2;
        files.push({
          ...{ name: `${slug}.yaml`, subject },
          text: windows ? text.replaceAll("\n", "\r\n") : text,
        });
      }
    }
  }
  return files;
}
