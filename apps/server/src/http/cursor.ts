import { refusalTexts } from '@gatehouse/contract';
import * as z from 'zod';
import type { PersonActor } from '../identity/actor.ts';
import { ProblemError } from '../platform/problem-error.ts';
import type { Mac } from '../vault/mac.ts';

/** The binding of a cursor. It is invalid for any other list, organization, user or filter. */
export interface CursorScope {
  readonly list: string;
  readonly actor: Pick<PersonActor, 'organizationId' | 'userId'>;
  /** Whether the list holds only the caller's own rows. */
  readonly perUser: boolean;
  readonly filters: Readonly<Record<string, unknown>>;
}

export interface Cursors {
  encode(scope: CursorScope, lastId: string): string;
  /** Returns the last id. @throws ProblemError `invalid_cursor` when altered or used elsewhere. */
  decode(scope: CursorScope, cursor: string): string;
}

const Payload = z.tuple([z.string(), z.string(), z.string()]);

export function createCursors(mac: Mac): Cursors {
  const textOf = (keyId: string, lastId: string, tag: Buffer): string =>
    Buffer.from(JSON.stringify([keyId, lastId, tag.toString('base64url')])).toString('base64url');

  return {
    encode(scope, lastId) {
      const { keyId, tag } = mac.sign(signedText(scope, lastId));
      return textOf(keyId, lastId, tag);
    },
    decode(scope, cursor) {
      const payload = parse(cursor);
      if (!payload) throw invalidCursor();
      const [keyId, lastId, text] = payload;
      const tag = Buffer.from(text, 'base64url');
      const isOurs = mac.verify(keyId, signedText(scope, lastId), tag);
      // JSON and base64url have several spellings of one value; only ours is the cursor that was given out.
      if (!isOurs || textOf(keyId, lastId, tag) !== cursor) throw invalidCursor();
      return lastId;
    },
  };
}

function signedText({ list, actor, perUser, filters }: CursorScope, lastId: string): string {
  return JSON.stringify([
    list,
    actor.organizationId,
    perUser ? actor.userId : null,
    filters,
    lastId,
  ]);
}

function parse(cursor: string): z.infer<typeof Payload> | undefined {
  try {
    return Payload.safeParse(JSON.parse(Buffer.from(cursor, 'base64url').toString())).data;
  } catch {
    return undefined;
  }
}

function invalidCursor(): ProblemError {
  return new ProblemError('invalid_cursor', refusalTexts.alteredCursor, {
    errors: [
      {
        parameter: 'cursor',
        code: 'invalid_cursor',
        message: refusalTexts.cursorOfList,
      },
    ],
  });
}

interface PageQuery {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

interface PageRequest {
  readonly before: string | undefined;
  readonly take: number;
}

interface ListPage<Row> {
  readonly rows: Row[];
  readonly nextCursor: string | null;
  /** What the next page begins behind; null on the last one. */
  readonly lastId: string | null;
}

/** What one read of a filtered list has found. */
interface Found<Row> {
  readonly rows: readonly Row[];
  /** Where to go on if fewer rows than asked for were found before the read had to end. */
  readonly reachedId: string | null;
}

/**
 * Reads a page of a list in descending order of ids, or in another that has unique ids. `find` looks for `take` rows
 * behind the row `before`, one more than the page has, and may end before it has found them.
 */
export async function readFoundPage<Row extends { readonly id: string }>(
  cursors: Cursors,
  scope: CursorScope,
  query: PageQuery,
  find: (page: PageRequest) => Promise<Found<Row>>,
): Promise<ListPage<Row>> {
  const before = query.cursor === undefined ? undefined : cursors.decode(scope, query.cursor);
  const { rows, reachedId } = await find({ before, take: query.limit + 1 });
  const page = rows.slice(0, query.limit);
  const lastId = (rows.length > page.length ? page.at(-1)?.id : reachedId) ?? null;
  const nextCursor = lastId === null ? null : cursors.encode(scope, lastId);
  return { rows: page, nextCursor, lastId };
}

/**
 * Like {@link readFoundPage}, where a read finds all rows that it asks for. `countFitting` tells how many of a page's
 * rows are shown, at least one; by default all.
 */
export function readPage<Row extends { readonly id: string }>(
  cursors: Cursors,
  scope: CursorScope,
  query: PageQuery,
  readRows: (page: PageRequest) => Promise<Row[]>,
  countFitting: (rows: readonly Row[]) => Promise<number> = async ({ length }) => length,
): Promise<ListPage<Row>> {
  return readFoundPage(cursors, scope, query, async (page) => {
    const found = await readRows(page);
    const full = found.slice(0, query.limit);
    const rows = full.slice(0, await countFitting(full));
    const hasMore = found.length > rows.length;
    return { rows, reachedId: hasMore ? (rows.at(-1)?.id ?? null) : null };
  });
}
