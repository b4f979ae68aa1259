import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createCursors, readFoundPage, readPage } from '../../src/http/cursor.ts';
import type { PersonCaller } from '../../src/identity/caller.ts';
import { createKeyring } from '../../src/vault/keyring.ts';
import { createMac } from '../../src/vault/mac.ts';

const mac = createMac(createKeyring([{ id: 'test', key: randomBytes(32) }]), 'cursor');
const cursors = createCursors(mac);
const id = '0190a000-0000-7000-8000-00000000000a';
const actor: PersonCaller = {
  kind: 'person',
  organizationId: id,
  userId: id,
  role: 'owner',
  groupIds: [],
  via: { kind: 'personal_token', id: id },
  expiresAt: null,
  scopes: [],
};
const scope = { list: 'tokens', actor, perUser: true, filters: {} };

describe('a cursor', () => {
  const cursor = cursors.encode(scope, id);
  const [keyId, lastId, tag] = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  const encoded = (payload: string) => Buffer.from(payload).toString('base64url');

  it('is taken exactly as it was given', () => {
    expect(cursors.decode(scope, cursor)).toBe(id);
  });

  it.each([
    ['with a blank in its JSON', encoded(JSON.stringify([keyId, lastId, tag]).replace(',', ', '))],
    [
      'with an escape in its JSON',
      encoded(
        `["\\u${keyId.charCodeAt(0).toString(16).padStart(4, '0')}${keyId.slice(1)}","${lastId}","${tag}"]`,
      ),
    ],
    ['with padding in its tag', encoded(JSON.stringify([keyId, lastId, `${tag}=`]))],
    ['with a blank in its tag', encoded(JSON.stringify([keyId, lastId, `${tag} `]))],
    [
      'with its tag in base64',
      encoded(
        JSON.stringify([
          keyId,
          lastId,
          `${tag}`.replaceAll('-', '+').replaceAll('_', '/').concat('='),
        ]),
      ),
    ],
    [
      'with other last bits in its tag',
      encoded(JSON.stringify([keyId, lastId, otherLastBits(tag)])),
    ],
    ['with padding', `${cursor}=`],
    ['with a blank', `${cursor} `],
    ['with a fourth part', encoded(JSON.stringify([keyId, lastId, tag, '']))],
  ])('%s is refused', (_, altered) => {
    expect(() => cursors.decode(scope, altered)).toThrow('The cursor is altered');
  });
});

describe('a page', () => {
  const rowsOf = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ id: `0190a000-0000-7000-8000-${index}` }));
  const next = (cursor: string | null) => (cursor === null ? null : cursors.decode(scope, cursor));

  it('reads one row more than it has, behind its cursor, and goes on behind its last row', async () => {
    const asked: unknown[] = [];
    const cursor = cursors.encode(scope, id);
    const { rows, nextCursor } = await readPage(
      cursors,
      scope,
      { limit: 2, cursor },
      async (page) => {
        asked.push(page);
        return rowsOf(page.take);
      },
    );
    expect(asked).toEqual([{ before: id, take: 3 }]);
    expect(rows).toEqual(rowsOf(2));
    expect(next(nextCursor)).toBe(rowsOf(2)[1]?.id);
  });

  it('is the last one where no further row was read', async () => {
    const page = await readPage(cursors, scope, { limit: 2 }, async () => rowsOf(2));
    expect(page).toEqual({ rows: rowsOf(2), nextCursor: null, lastId: null });
  });

  it('goes on behind the last row that fits', async () => {
    const read = async () => rowsOf(2);
    const page = await readPage(cursors, scope, { limit: 2 }, read, async () => 1);
    expect(page.rows).toEqual(rowsOf(1));
    expect(next(page.nextCursor)).toBe(rowsOf(1)[0]?.id);
  });

  it('goes on where a read had to end, also without a row', async () => {
    const found = async () => ({ rows: [], reachedId: id });
    const page = await readFoundPage(cursors, scope, { limit: 2 }, found);
    expect(page.rows).toEqual([]);
    expect(next(page.nextCursor)).toBe(id);
  });
});

/** 32 bytes are 43 characters; two bits of the last one are unused. */
function otherLastBits(tag: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  return tag.slice(0, -1) + alphabet[alphabet.indexOf(tag.at(-1) ?? '') ^ 1];
}
