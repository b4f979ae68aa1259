import { Prisma } from '../generated/prisma/client.ts';
import type { Db } from '../platform/database/store.ts';
import { added, counts as countColumns } from './columns.ts';
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

/** A row of a table of minutes or hours, or what is to be added to it. */
export interface Counted {
  readonly organizationId: string;
  /** Nil in a sum over all applications. */
  readonly applicationId: string;
  readonly integrationId: string;
  /** Empty for calls of no tool, and in a sum over all tools. */
  readonly tool: string;
  /** The id of the person or, for client credentials, the application; nil in a sum over all. */
  readonly userId: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly counts: Counts;
}

const minuteKey = Prisma.raw('"organizationId", "at", "applicationId", "integrationId"');
const hourKey = Prisma.raw(
  '"organizationId", "applicationId", "at", "userId", "integrationId", "tool"',
);

/** Adds to the rows of minutes, in one statement. @param rows of different keys */
export function writeMinutes(db: Db, rows: readonly Counted[]): Promise<undefined> {
  return write(db, Prisma.raw('"UsageMinute"'), minuteKey, rows);
}

export function writeHours(db: Db, rows: readonly Counted[]): Promise<undefined> {
  return write(db, Prisma.raw('"UsageHour"'), hourKey, rows);
}

/** In the order of the key: two nodes that write the same rows wait for each other, and do not deadlock. */
async function write(
  db: Db,
  table: Prisma.Sql,
  key: Prisma.Sql,
  rows: readonly Counted[],
): Promise<undefined> {
  await db.$executeRaw`
    INSERT INTO ${table} AS t (${key}, ${countColumns})
    SELECT ${key}, ${countColumns} FROM jsonb_to_recordset(${JSON.stringify(rows.map(recordOf))}::jsonb) AS r(
      "organizationId" uuid, "applicationId" uuid, "integrationId" uuid, "tool" text, "userId" uuid,
      "at" timestamptz, "calls" int, "refusals" int, "errors" int, "upstreamErrors" int,
      "bytesIn" bigint, "bytesOut" bigint, "latency" int[], "lastErrorAt" timestamptz)
    ORDER BY ${key}
    ON CONFLICT (${key}) DO UPDATE SET ${added}`;
  return undefined;
}

function recordOf({ counts, at, ...key }: Counted) {
  const lastErrorAt = counts.lastErrorAt === null ? null : new Date(counts.lastErrorAt);
  return { ...key, at: new Date(at), ...counts, lastErrorAt };
}
