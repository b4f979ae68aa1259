import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createCursors } from '../../src/http/cursor.ts';
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

/** 32 bytes are 43 characters; two bits of the last one are unused. */
function otherLastBits(tag: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  return tag.slice(0, -1) + alphabet[alphabet.indexOf(tag.at(-1) ?? '') ^ 1];
}
