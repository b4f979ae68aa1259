import { type Counts, noCounts, type UsedCall } from './counts.ts';

/** The calls of one tool and person that ended in one minute. */
export interface Line {
  readonly organizationId: string;
  readonly applicationId: string;
  readonly integrationId: string;
  readonly tool: string;
  readonly userId: string;
  /** Epoch milliseconds. */
  readonly minute: number;
  readonly counts: Counts;
}

type Level<Below> = Map<string, Below>;

/**
 * Lines by application, integration, person and tool: ids come from memory with their hashes, so four look-ups cost less
 * than the hash of one long key. Ids are unique across organizations.
 */
export class Lines {
  readonly minute: number;
  readonly all: Line[] = [];
  readonly #lines: Level<Level<Level<Level<Line>>>> = new Map();

  constructor(minute: number) {
    this.minute = minute;
  }

  lineOf(
    { organizationId, applicationId, integrationId, subjectId }: UsedCall,
    tool: string,
  ): Line {
    const ofApplication = below(this.#lines, applicationId);
    const ofPerson = below(below(ofApplication, integrationId), subjectId);
    const known = ofPerson.get(tool);
    if (known !== undefined) return known;
    const key = { organizationId, applicationId, integrationId, tool, userId: subjectId };
    const line = { ...key, minute: this.minute, counts: noCounts() };
    ofPerson.set(tool, line);
    this.all.push(line);
    return line;
  }
}

function below<Value>(level: Level<Level<Value>>, key: string): Level<Value> {
  const known = level.get(key);
  if (known !== undefined) return known;
  const made: Level<Value> = new Map();
  level.set(key, made);
  return made;
}
