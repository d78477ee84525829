/** Judges runs from outside: by requests, the state of the service, files, records and streams. */

import type { Courses, Person, Ran, RecordedStep } from "../history.ts";
import type { Course } from "../model.ts";
import type { World } from "../world.ts";
import * as catalog from "./catalog.ts";
import * as files from "./files.ts";
import * as records from "./records.ts";
import * as results from "./results.ts";
import { argumentsOf, type Check, type Violation } from "./run.ts";
import * as workbooks from "./workbooks.ts";

/** The sentences of the contract, with what is checked after every run. */
const PROMISES: Readonly<Record<string, Check>> = {
  "No command gives a course a url that another course has": catalog.uniqueUrl,
  "Unchanged courses cost no request": catalog.noFalseUpdate,
  "Deletions are read once more: a course that is not what was shown is stale":
    records.deletesWhatWasShown,
  "A plan deletes courses only as it shows them": records.deletesAsPlanned,
  "A record has the complete values before each change": records.completeRecord,
  "Statuses agree with what happened": results.honestResults,
  "Counts and the exit code agree with the results": results.agreeingTotals,
  "Deletions are sent last, and only if nothing failed": results.deletesLast,
  "A dry run changes nothing": results.changesNothingInDryRun,
  "Requests are repeated after failures that may pass": results.repeats,
  "No request is repeated that may do something twice, was rejected, or has to wait":
    results.repeatsCarefully,
  "Nothing is sent that the service rejects, while nobody else changes anything":
    results.isAccepted,
  "Exit code 6: the service could not be reached, or kept failing": results.endsAsUnreachable,
  "push deletes only with --prune, and at most as many courses as its limit":
    catalog.limitsDeletions,
  "push changes and deletes only the courses that are meant": catalog.scope,
  "push makes the catalog match the files": catalog.matchesFiles,
  "What changed only in the catalog is left there and named": workbooks.keepsCatalogChanges,
  "Of a workbook, only cells that were edited are sent": workbooks.onlyEditedCells,
  "The same workbook can be pushed again and again": workbooks.pushesWorkbookAgain,
  "undo: a course changed since is a conflict": records.keepsLaterChanges,
  "undo reverses the newest run that is not an undo": records.undoesNewest,
  "Files change only where the command was asked to change them": files.keepsFiles,
  "pull writes the courses of the catalog as files": files.matchesCatalog,
  "import edits the files of its rows, and writes new ones": files.imports,
  "pull then push changes nothing": files.pullThenPush,
  "An unreliable list refuses what would create or delete": catalog.refusesUnreliable,
  "Of several courses with the url of an argument, the one with the derived id is meant, else it is an error":
    catalog.rightCourse,
  "No stack trace, no hang, no key in any output, and only exit codes of the table":
    results.behaves,
  "Output is data that parses, or nothing": results.printsJson,
};

/** A recorded run. */
interface Recorded {
  readonly who: Person;
  readonly hasEffect: boolean;
  readonly isUndo: boolean;
  readonly steps: readonly RecordedStep[];
  /** The catalog before, with what a colleague added while the run read it. */
  readonly seen: Courses;
}

/** Remembers what the promises need of earlier steps. */
export class Judge {
  readonly world: World;
  /** Recorded runs by name. */
  readonly records = new Map<string, Recorded>();
  readonly workbooks = new workbooks.Workbooks();
  /** The person and the folder that was pulled last, while nothing has changed since. */
  pulled: string | undefined;

  constructor(world: World) {
    this.world = world;
  }

  /** The first promise that a run broke. */
  judge(ran: Ran): Violation | undefined {
    this.#rememberRecord(ran);
    const broken = Object.entries(PROMISES).flatMap(([promise, check]): Violation[] => {
      const how = check(ran, this);
      return how === undefined ? [] : [{ promise, how }];
    });
    this.workbooks.remember(ran);
    this.pulled = files.hasPulledAll(ran) ? `${ran.who} ${argumentsOf(ran)[0]}` : undefined;
    return broken[0];
  }

  #rememberRecord({ who, record, writes, before, interferences }: Ran): void {
    if (record === undefined) return;
    const added = interferences.flatMap(({ id, before: old, after }): [string, Course][] =>
      old === undefined && after !== undefined ? [[id, after]] : [],
    );
    this.records.set(String(record.header.run), {
      who,
      hasEffect: writes.length > 0,
      isUndo: record.header.undoes !== undefined,
      steps: record.steps,
      seen: new Map([...before, ...added]),
    });
  }
}
