import type { Exchange } from '@gatehouse/testing';
import { beforeAll } from 'vitest';
import { clientOf, useFixture } from '../../fixture.ts';
import { GROUPS, PEOPLE } from './arbitrary-rules.ts';
import { LISTS, type ListKey } from './oracle/lists.ts';

/** A member, as they are now. */
export interface Person {
  readonly userId: string;
  readonly token: string;
  role: string;
  groupIds: readonly string[];
}

/** What the upstream lists next. */
export interface Listing {
  readonly key: ListKey;
  readonly entries: readonly object[];
  readonly via: 'json' | 'events';
}

/** What stays from run to run: people, groups, two applications, and an upstream. */
export function useWorld() {
  const fixture = useFixture();
  const world = {
    people: [] as Person[],
    groupIds: [] as string[],
    applicationIds: [] as string[],
    /** Of the second application, for itself. */
    applicationToken: '',
    listing: { key: 'tools', entries: [], via: 'json' } as Listing,
  };
  const api: typeof fixture.api = (...request) => fixture.api(...request);

  beforeAll(async () => {
    fixture.upstream.otherwise((exchange) => answer(exchange, world.listing));
    const { body: me } = await api('GET', '/me');
    world.people.push({
      ...{ userId: me.user.id, token: fixture.server.owner },
      ...{ role: 'owner', groupIds: [] },
    });
    for (const role of ['admin', 'member', 'member'] as const) {
      const { id: userId, token } = await fixture.server.addMember(role);
      world.people.push({ userId, token, role, groupIds: [] });
    }
    for (let n = 0; n < GROUPS; n += 1) {
      const { body } = await api('POST', '/groups', { name: `Group ${n}` });
      world.groupIds.push(body.group.id);
    }
    const oauth = { type: 'confidential', redirectUris: ['http://localhost/callback'] };
    const { body: made } = await api('POST', '/applications', { name: 'Worker', oauth });
    world.applicationIds.push(fixture.applicationId, made.application.id);
    world.applicationToken = await ownToken(made.application.id, made.oauth.clientSecret);
  });

  async function ownToken(clientId: string, secret: string): Promise<string> {
    const response = await fetch(`${fixture.server.origin}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        ...{ grant_type: 'client_credentials', client_id: clientId, client_secret: secret },
      }),
    });
    const body: unknown = await response.json();
    return (body as { access_token: string }).access_token;
  }

  /** Roles and groups as each run finds them. */
  async function restoreMembers(): Promise<void> {
    const roles = ['owner', 'admin', 'member', 'member'];
    for (let n = 1; n < PEOPLE; n += 1) {
      const groups = n === 1 ? [] : [n - 2];
      await changeMember(n, { role: roles[n], groups });
    }
  }

  async function changeMember(
    place: number,
    { role, groups }: { role?: string | undefined; groups?: readonly number[] | undefined },
  ): Promise<void> {
    const person = at(world.people, place);
    const { userId } = person;
    if (role !== undefined && role !== person.role) {
      await api('PATCH', `/members/${userId}`, { role });
      person.role = role;
    }
    if (groups === undefined) return;
    const wanted = groups.map((n) => at(world.groupIds, n));
    for (const id of world.groupIds) {
      if (wanted.includes(id) === person.groupIds.includes(id)) continue;
      await api(wanted.includes(id) ? 'PUT' : 'DELETE', `/groups/${id}/members/${userId}`);
    }
    person.groupIds = wanted;
  }

  return { fixture, world, send: clientOf(''), restoreMembers, changeMember };
}

export type Worlds = ReturnType<typeof useWorld>;

export function at<T>(list: readonly T[], place: number): T {
  const found = list[place];
  if (found === undefined) throw new Error(`There is nothing at ${place}.`);
  return found;
}

async function answer(exchange: Exchange, { key, entries, via }: Listing): Promise<void> {
  const { message } = exchange;
  const isList = message?.method === LISTS[key].method || exchange.request.method === 'GET';
  if (!isList) {
    const { method, id } = message ?? {};
    if (id === undefined) exchange.respond({ status: 202 });
    else
      exchange.respondResult({}, method === 'initialize' ? { 'Mcp-Session-Id': 'upstream' } : {});
    return;
  }
  const result = { [key]: entries, cacheScope: 'public' };
  if (via === 'json') {
    exchange.respondResult(result);
    return;
  }
  exchange.startSse();
  await exchange.sendEvent({ data: { jsonrpc: '2.0', id: message?.id ?? 1, result } });
  exchange.end();
}
