import type { JsonObject, JsonValue } from '@gatehouse/contract';
import { expect } from 'vitest';
import { operations } from '../../fuzz/operations.ts';
import type { Api } from '../api.ts';
import { type Case, rule } from '../case.ts';
import { makeApplication, makeIntegration, makeMember } from '../make.ts';

/** What changes by itself, so that a value read a moment ago is no mistake. Everything else is compared. */
const MOVING = new Set([
  'activeSessionCount',
  'certificateExpiresAt',
  'connectionCount',
  'firstCallAt',
  'idleSessionCount',
  'lastValidatedAt',
  'liveSessionCount',
  'totalSessionCount',
  'updatedAt',
  'userConnection',
  'validationMessage',
  'validationStages',
  'validationStatus',
]);

/** A resource to write: its path, what a read shows of it, and a change of what the write sets. */
interface Written {
  readonly path: string;
  readonly read: JsonObject;
  readonly change: JsonObject;
}

const makers: Readonly<Record<string, (t: Api) => Promise<Written>>> = {
  'integrations.update': async (t) => {
    const { id } = await makeIntegration(t, { authMode: 'server_token', serverToken: 's' });
    const path = `/integrations/${id}`;
    const { integration } = (await t.ok(`GET ${path}`)).body;
    return { path, read: integration, change: { serverToken: null, authMode: 'none' } };
  },
  'integrations.putOauth': async (t) => {
    const { id } = await makeIntegration(t, { authMode: 'oauth' });
    const path = `/integrations/${id}/oauth`;
    const oauth = { provider: 'github', issuer: 'https://id.example.com', scopes: [] };
    const secrets = { clientId: 'client', clientSecret: 's', tokenParams: { a: 'b' } };
    const { body } = await t.ok(`PUT ${path}`, { body: { ...oauth, ...secrets } });
    return { path, read: body.oauth, change: { clientId: 'another client' } };
  },
  'applications.update': async (t) => {
    const { id } = await makeApplication(t);
    const integration = await makeIntegration(t);
    const path = `/applications/${id}`;
    await t.ok(`POST ${path}/integrations/${integration.id}`);
    const { application } = (await t.ok(`GET ${path}`)).body;
    return { path, read: application, change: { name: 'Renamed', aggregate: { mode: 'off' } } };
  },
  'applications.updateIntegration': async (t) => {
    const { id } = await makeApplication(t);
    const integration = await makeIntegration(t);
    const path = `/applications/${id}/integrations/${integration.id}`;
    await t.ok(`POST ${path}`);
    const read = (await t.ok(`PATCH ${path}`, { body: {} })).body.integration;
    return { path, read, change: { alias: 'other' } };
  },
  'applications.updateOauth': async (t) => {
    const { id } = await makeApplication(t);
    const path = `/applications/${id}/oauth`;
    return { path, read: (await t.ok(`GET ${path}`)).body.oauth, change: { type: 'public' } };
  },
  'organization.update': async (t) => {
    const { organization } = (await t.ok('GET /me')).body;
    return { path: '/organization', read: organization, change: { name: 'Renamed' } };
  },
  'members.update': async (t) => {
    const { id } = await makeMember(t, 'member');
    const path = `/members/${id}`;
    const { member } = (await t.ok(`PATCH ${path}`, { body: {} })).body;
    return { path, read: member, change: { name: 'Renamed' } };
  },
  'groups.update': async (t) => {
    const body = { name: crypto.randomUUID() };
    const { group } = (await t.ok('POST /groups', { body })).body;
    const change = { name: crypto.randomUUID() };
    return { path: `/groups/${group.id}`, read: group, change };
  },
};

const OTHER_VALUES: readonly JsonValue[] = [
  null,
  true,
  false,
  'typo',
  [],
  {},
  '2020-01-01T00:00:00.000Z',
];

const writes = operations.filter(({ readOnly }) => readOnly.length > 0);

const cases: readonly Case[] = writes.map(({ id, route, readOnly }) =>
  rule(`${id} takes a read-only field as it was read, and refuses another value`, async (t) => {
    const make = makers[id];
    if (!make) throw new Error(`There is no resource for ${id}.`);
    const { path, read, change } = await make(t);
    const line = `${route.method} ${path}`;
    const stays = readOnly.filter((name) => !MOVING.has(name));
    for (const value of OTHER_VALUES) {
      const others = stays.filter((name) => !isSame(read[name], value));
      const body = { ...read, ...Object.fromEntries(others.map((name) => [name, value])) };
      const { status, code, at } = await t.problem(line, { body });
      expect([value, status, code, [...at].sort()]).toEqual([
        value,
        400,
        'validation_failed',
        others.map((name) => `/${name}`).sort(),
      ]);
    }
    const moved = readOnly.filter((name) => MOVING.has(name)).map((name) => [name, 'moved']);
    const body = { ...read, ...Object.fromEntries(moved), ...change };
    await t.ok(line, { body });
  }),
);

function isSame(one: JsonValue | undefined, other: JsonValue): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

export const readOnlyFieldCases = { title: 'Read-only fields', cases };
