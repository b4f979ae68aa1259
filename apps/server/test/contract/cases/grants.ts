import { expect } from 'vitest';
import type { Api } from '../api.ts';
import { rule } from '../case.ts';
import { makeApplication, makeIntegration, makeMember, NOWHERE } from '../make.ts';
import type { NewGrant } from '../targets/target.ts';

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const DYNAMIC = 'https://client.example.com/metadata.json';
const NOTHING = { tokens: 0, grants: 0, consents: 0, sessions: 0, leases: 0, streams: 0 };

interface Person {
  readonly id: string;
  readonly as: { readonly token: string };
}

async function makePerson(t: Api): Promise<Person> {
  const { id, token } = await makeMember(t, 'member');
  return { id, as: { token } };
}

/** An application with an attached integration, and the URL of both. */
async function makeAttached(t: Api, oauth: object = {}) {
  const { id: applicationId, mcpUrlTemplate } = await makeApplication(t, { ...oauth });
  const { id: integrationId } = await makeIntegration(t);
  await t.ok(`POST /applications/${applicationId}/integrations/${integrationId}`);
  const url: string = mcpUrlTemplate.replace('{integrationId}', integrationId);
  return { applicationId: applicationId as string, integrationId: integrationId as string, url };
}

const grantsOf = async (t: Api, { as }: Person): Promise<string[]> =>
  (await t.ok('GET /grants', { as })).body.items.map(({ id }: { id: string }) => id);

/** Grants of one person, in the order of the list, which is the reverse of the given one. */
async function addGrants(t: Api, { id: userId }: Person, grants: Omit<NewGrant, 'userId'>[]) {
  const ids: string[] = [];
  for (const grant of grants) ids.unshift(await t.service.addGrant({ ...grant, userId }));
  return ids;
}

export const grantCases = {
  title: 'Grants',
  cases: [
    rule('are listed for the person who gave them, newest first, in pages', async (t) => {
      const person = await makePerson(t);
      const { id: applicationId, name } = await makeApplication(t);
      const ids = await addGrants(t, person, [{ applicationId }, { applicationId }]);
      const first = (await t.ok('GET /grants?limit=1', person)).body;
      expect(first.items).toStrictEqual([
        {
          id: ids[0],
          applicationId,
          applicationName: name,
          clientId: applicationId,
          resources: [expect.stringContaining(`/mcp/${applicationId}`)],
          scopes: ['mcp'],
          createdAt: expect.stringMatching(instant),
          lastUsedAt: null,
          expiresAt: expect.stringMatching(instant),
        },
      ]);
      const next = `GET /grants?cursor=${first.nextCursor}`;
      const second = (await t.ok(next, person)).body;
      expect([second.items[0].id, second.items.length, second.nextCursor]).toEqual([
        ids[1],
        1,
        null,
      ]);
      expect((await t.problem(next)).code).toBe('invalid_cursor');
    }),

    rule('are ended by the person who gave them and by admins, and are then unknown', async (t) => {
      const person = await makePerson(t);
      const { id: applicationId } = await makeApplication(t);
      const ids = await addGrants(t, person, [{ applicationId }, { applicationId }]);
      expect((await t.problem(`DELETE /grants/${ids[0]}`, { as: 'member' })).code).toBe(
        'not_found',
      );
      expect((await t.problem(`DELETE /grants/${ids[0]}`, { as: 'stranger' })).status).toBe(404);
      expect((await t.call(`DELETE /grants/${ids[0]}`, person)).status).toBe(204);
      expect((await t.call(`DELETE /grants/${ids[1]}`, { as: 'admin' })).status).toBe(204);
      expect(await grantsOf(t, person)).toEqual([]);
      expect((await t.call(`DELETE /grants/${ids[0]}`, person)).status).toBe(404);
      expect((await t.call(`DELETE /grants/${NOWHERE}`)).status).toBe(404);
    }),

    rule('end with the sessions that are their activity', async (t) => {
      const person = await makePerson(t);
      const made = await makeAttached(t);
      const [grantId = ''] = await addGrants(t, person, [{ applicationId: made.applicationId }]);
      await t.service.addSession({ ...made, era: 'modern' });
      await t.service.addSession({ ...made, era: 'modern', grantId });
      await t.ok(`DELETE /grants/${grantId}`, person);
      const { items } = (await t.ok(`GET /applications/${made.applicationId}/sessions`)).body;
      expect(items.map(({ state }: { state: string }) => state)).toEqual(['revoked', 'open']);
    }),

    rule('end with what they rest on when the application’s settings take it away', async (t) => {
      const redirectUris = ['https://a.example.com/', 'http://localhost/cb'];
      const allowedResources = ['https://api.example.com/v1'];
      const scopes = ['mcp', 'extra'];
      for (const [body, grant] of [
        [{ redirectUris: redirectUris.slice(1) }, {}],
        [{ redirectUris: redirectUris.slice(0, 1) }, { redirectUri: 'http://localhost:4000/cb' }],
        [{ scopes: ['mcp'] }, { scopes }],
        [{ allowedResources: [] }, { resources: allowedResources }],
        [{ allowDynamicClients: false }, { clientId: DYNAMIC }],
      ] as const) {
        const person = await makePerson(t);
        const oauth = { redirectUris, allowedResources, scopes, allowDynamicClients: true };
        const { id: applicationId } = await makeApplication(t, oauth);
        const kept = {
          applicationId,
          redirectUri: 'redirectUris' in body ? body.redirectUris[0] : redirectUris[0],
        };
        const ids = await addGrants(t, person, [
          { applicationId, ...grant },
          { ...kept, redirectUri: kept.redirectUri ?? '' },
        ]);
        await t.ok(`PATCH /applications/${applicationId}/oauth`, { body: { pkceRequired: false } });
        expect(await grantsOf(t, person)).toEqual(ids);
        await t.ok(`PATCH /applications/${applicationId}/oauth`, { body });
        expect([body, await grantsOf(t, person)]).toEqual([body, ids.slice(0, 1)]);
      }
    }),

    rule('lose the URL of a detached integration, and end with their last one', async (t) => {
      const person = await makePerson(t);
      const { applicationId, integrationId, url } = await makeAttached(t);
      const other = 'https://other.example.com/';
      const ids = await addGrants(t, person, [
        { applicationId, resources: [url] },
        { applicationId, resources: [url, other] },
      ]);
      await t.ok(`DELETE /applications/${applicationId}/integrations/${integrationId}`);
      const { items } = (await t.ok('GET /grants', person)).body;
      expect(items).toMatchObject([{ id: ids[0], resources: [other] }]);
      expect(items).toHaveLength(1);
    }),

    rule('end with the application, and do not come back with it', async (t) => {
      const person = await makePerson(t);
      const { id: applicationId } = await makeApplication(t);
      await addGrants(t, person, [{ applicationId }]);
      await t.ok(`DELETE /applications/${applicationId}`);
      await t.ok(`POST /applications/${applicationId}/restore`);
      expect(await grantsOf(t, person)).toEqual([]);
    }),
  ],
};

export const revokeAccessCases = {
  title: 'Revoking access',
  cases: [
    rule('of an application ends and counts all of it, and nothing else', async (t) => {
      const person = await makePerson(t);
      const made = await makeAttached(t);
      const other = await makeAttached(t);
      const { applicationId } = made;
      await addGrants(t, person, [{ applicationId, isConsentKept: true }, { applicationId }]);
      const kept = await addGrants(t, person, [{ applicationId: other.applicationId }]);
      await t.service.addSession(made);
      await t.service.addSession({ ...made, silentFor: 31 * 60_000, era: 'modern' });
      await t.service.addSession(other);
      const before = await t.ok(`GET /applications/${applicationId}`);
      const line = `POST /applications/${applicationId}/revoke-access`;
      const { status, body } = await t.call(line);
      const revoked = { tokens: 4, grants: 2, consents: 1, sessions: 1, leases: 0, streams: 0 };
      expect([status, body]).toEqual([200, { revoked }]);
      expect(await grantsOf(t, person)).toEqual(kept);
      const after = await t.ok(`GET /applications/${applicationId}`);
      expect(after.headers.get('etag')).toBe(before.headers.get('etag'));
      expect(after.body.application).toMatchObject({ archivedAt: null, activeSessionCount: 0 });
      expect((await t.ok(line)).body.revoked).toEqual(NOTHING);
    }),

    rule(
      'of an application is for its owner and admins, and works when it is archived',
      async (t) => {
        const { id } = await makeApplication(t);
        const line = `POST /applications/${id}/revoke-access`;
        expect((await t.call(line, { as: 'member' })).status).toBe(404);
        expect((await t.call(line, { as: 'stranger' })).status).toBe(404);
        const own = await makeApplication(t, {}, 'member');
        await t.ok(`POST /applications/${own.id}/revoke-access`, { as: 'member' });
        await t.ok(`DELETE /applications/${id}`);
        expect((await t.ok(line, { as: 'admin' })).body.revoked).toEqual(NOTHING);
      },
    ),

    rule('of a member ends tokens and grants, and the member stays', async (t) => {
      const person = await makePerson(t);
      const { id: applicationId } = await makeApplication(t);
      await addGrants(t, person, [{ applicationId, isConsentKept: true }]);
      const line = `POST /members/${person.id}/revoke-access`;
      const { revoked } = (await t.ok(line, { as: 'admin' })).body;
      // Their own token and the invitation it was made with, beside those of the grant.
      expect(revoked).toEqual({
        tokens: 4,
        grants: 1,
        consents: 1,
        sessions: 0,
        leases: 0,
        streams: 0,
      });
      expect((await t.problem('GET /me', person)).code).toBe('unauthenticated');
      const { items } = (await t.ok('GET /members?limit=100')).body;
      expect(items).toContainEqual(expect.objectContaining({ id: person.id }));
      expect((await t.ok(line)).body.revoked).toEqual(NOTHING);
    }),

    rule('of oneself ends the token of the request too', async (t) => {
      const { id, as } = await makePerson(t);
      const { revoked } = (await t.ok(`POST /members/${id}/revoke-access`, { as })).body;
      expect(revoked.tokens).toBe(2);
      expect((await t.problem('GET /me', { as })).code).toBe('unauthenticated');
    }),

    rule('of others is for admins, and of an owner for owners', async (t) => {
      const { id } = await makeMember(t, 'owner');
      const refused = async (of: string, as: 'member' | 'admin' | 'stranger') =>
        (await t.problem(`POST /members/${of}/revoke-access`, { as })).code;
      expect(await refused(id, 'member')).toBe('forbidden');
      expect(await refused(NOWHERE, 'member')).toBe('forbidden');
      expect(await refused(id, 'admin')).toBe('forbidden');
      expect(await refused(id, 'stranger')).toBe('not_found');
      expect(await refused(NOWHERE, 'admin')).toBe('not_found');
      await t.ok(`POST /members/${id}/revoke-access`);
    }),

    rule('erases the secrets that a repeated request would get again', async (t) => {
      const { id, as } = await makePerson(t);
      const headers = { 'idempotency-key': crypto.randomUUID() };
      const options = { as, headers, body: { name: 'CI', scopes: ['mcp'] } };
      await t.ok('POST /tokens', options);
      await t.ok(`POST /members/${id}/revoke-access`);
      expect((await t.problem('POST /tokens', options)).code).toBe('unauthenticated');
    }),
  ],
};
