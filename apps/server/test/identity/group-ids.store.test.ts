import { secretPrefixes } from '@gatehouse/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Caller } from '../../src/identity/caller.ts';
import { findCaller, findCallerAgain, lockCaller } from '../../src/identity/find-caller.ts';
import { hashToken } from '../../src/identity/tokens.ts';
import type { ChangeSet } from '../../src/platform/changes/changes.ts';
import { testDatabaseKind } from '../support/database.ts';
import { insertGrant, insertOauthToken } from '../support/grants.ts';
import { useServer } from '../support/server.ts';

const server = useServer();
let groups: string[];
let member: { id: string; token: string };
let granted: string;

const call = async (method: string, path: string, body?: object) =>
  (await server.call(method, path, body === undefined ? {} : { body })).body;

beforeAll(async () => {
  member = await server.addMember('member');
  const names = ['First', 'Second'];
  groups = [];
  for (const name of names) groups.push((await call('POST', '/groups', { name })).group.id);
  for (const id of groups) await call('PUT', `/groups/${id}/members/${member.id}`);
  const oauth = { type: 'confidential', redirectUris: ['https://app.example/callback'] };
  const { application } = await call('POST', '/applications', { name: 'App', oauth });
  granted = `${secretPrefixes.accessToken}of-a-member-in-groups`;
  const grant = await insertGrant(server, application.id, { userId: member.id });
  await insertOauthToken(server, grant, 'access', {
    audience: `${server.origin}/mcp/${application.id}`,
    hash: Buffer.from(hashToken(granted)),
  });
});

const find = async (token: string): Promise<Caller> => {
  const found = await findCaller(server.store.db, server.origin, token);
  if (found === undefined) throw new Error('There is no such caller.');
  return found.caller;
};

describe('a caller', () => {
  it.each([
    ['a personal token', () => member.token],
    ['a grant', () => granted],
  ])('by %s knows their groups from the statement that finds them', async (_, token) => {
    server.store.statements();
    const caller = await find(token());
    expect(server.store.statements()).toHaveLength(1);
    expect(caller).toMatchObject({ kind: 'person', groupIds: groups });
    if (caller.kind !== 'person') throw new Error('Not a person.');
    expect(await findCallerAgain(server.store.db, caller)).toEqual(caller);
    const locked = server.store.transaction((tx) => lockCaller(tx.db, caller));
    expect(await locked).toEqual(caller);
  });

  it('in no group has an empty list', async () => {
    expect(await find(server.owner)).toMatchObject({ groupIds: [] });
  });
});

describe('a change of membership', () => {
  const path = () => `/groups/${groups[0]}/members/${member.id}`;

  /** The announcements that `act` causes here. */
  async function announced(act: () => Promise<unknown>): Promise<string[]> {
    const seen: string[] = [];
    const note = (changes: ChangeSet) => {
      if (changes !== 'everything') seen.push(...changes.map(({ kind, id }) => `${kind} ${id}`));
    };
    const unsubscribe = server.store.changes.subscribe({ react: note });
    await act();
    unsubscribe();
    return seen;
  }

  it('announces the member, so that caches and open calls follow; one that changes nothing does not', async () => {
    const expected = [`member ${member.id}`];
    expect(await announced(() => call('DELETE', path()))).toEqual(expected);
    expect(await announced(() => call('DELETE', path()))).toEqual([]);
    expect(await announced(() => call('PUT', path()))).toEqual(expected);
    expect(await announced(() => call('PUT', path()))).toEqual([]);
  });

  it.runIf(testDatabaseKind === 'postgresql')(
    'is heard by another node within a second',
    async () => {
      const other = await server.store.openAnotherNode();
      const heard = new Promise<number>((resolve) => {
        other.changes.subscribe({
          react: (changes) => {
            if (changes === 'everything') return;
            if (changes.some(({ kind, id }) => kind === 'member' && id === member.id))
              resolve(performance.now());
          },
        });
      });
      const before = performance.now();
      await call('DELETE', path());
      expect((await heard) - before).toBeLessThan(1_000);
      await call('PUT', path());
    },
  );
});
