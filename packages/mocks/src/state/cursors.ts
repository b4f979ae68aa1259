import { refusalTexts } from '@gatehouse/contract';
import { Refusal } from '../http/refusal.ts';
import { randomText } from './random.ts';

/** What a cursor is bound to. It is invalid for another list, organization, user or filter. */
export interface CursorScope {
  readonly list: string;
  readonly organizationId: string;
  /** Set where the list is the caller's own. */
  readonly userId?: string;
  readonly filters?: Readonly<Record<string, unknown>>;
}

export interface Cursors {
  encode(scope: CursorScope, lastId: string): string;
  /** @throws Refusal `invalid_cursor` when it is unknown or belongs to another list. */
  decode(scope: CursorScope, cursor: string): string;
}

/** Cursors are random. Their meaning is stored here. */
export function createCursors(): Cursors {
  const cursors = new Map<string, string>();
  const lastIds = new Map<string, { readonly scope: string; readonly lastId: string }>();
  return {
    encode(scope, lastId) {
      const text = textOf(scope);
      const key = `${text} ${lastId}`;
      const cursor = cursors.get(key) ?? randomText(32);
      cursors.set(key, cursor);
      lastIds.set(cursor, { scope: text, lastId });
      return cursor;
    },
    decode(scope, cursor) {
      const found = lastIds.get(cursor);
      if (found?.scope === textOf(scope)) return found.lastId;
      const detail = refusalTexts.alteredCursor;
      throw new Refusal('invalid_cursor', detail, {
        errors: [
          { parameter: 'cursor', code: 'invalid_cursor', message: refusalTexts.cursorOfList },
        ],
      });
    },
  };
}

function textOf({ list, organizationId, userId = '', filters = {} }: CursorScope): string {
  return JSON.stringify([list, organizationId, userId, filters]);
}
