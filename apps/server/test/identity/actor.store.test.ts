import { secretPrefixes, type TokenScope } from '@gatehouse/contract';
import { beforeAll, expect, it } from 'vitest';
import { bootstrap } from '../../src/bootstrap.ts';
import { operator, service } from '../../src/identity/actor.ts';
import { actorInBrowser } from '../../src/identity/browser-sessions.ts';
import { actorOfCaller } from '../../src/identity/caller.ts';
import { findCaller } from '../../src/identity/find-caller.ts';
import { hashToken, insertToken } from '../../src/identity/tokens.ts';
import { createId } from '../../src/platform/ids.ts';
import { insertGrant, insertOauthToken } from '../support/grants.ts';
import { useStore } from '../support/store.ts';

const PUBLIC_URL = 'https://gatehouse.example';
const store = useStore();
let owner: { readonly organizationId: string; readonly userId: string };
let applicationId: string;

beforeAll(async () => {
  await bootstrap(store, 'x'.repeat(32));
  const { id: userId, organizationId } = await store.db.user.findFirstOrThrow();
  owner = { organizationId, userId };
  const row = createId();
  applicationId = row.id;
  await store.db.application.create({
    data: {
      ...{ ...row, organizationId, ownerUserId: userId, name: 'App', clientType: 'confidential' },
      redirectUris: ['https://app.example/callback'],
      updatedAt: row.createdAt,
    },
  });
});

async function actorOf(token: string) {
  const found = await findCaller(store.db, PUBLIC_URL, token);
  return found && actorOfCaller(found.caller);
}

async function insert(kind: 'personal' | 'invitation') {
  const hash = Buffer.from(hashToken(kind));
  const scopes: TokenScope[] = ['mcp'];
  return insertToken(store.db, { ...owner, kind, name: kind, hash, scopes, expiresAt: null });
}

/** What an access token with this text and the audience of the application is stored as. */
const accessToken = (text: string) => {
  const token = secretPrefixes.accessToken + text;
  const audience = `${PUBLIC_URL}/mcp/${applicationId}`;
  return { token, fields: { audience, hash: Buffer.from(hashToken(token)) } };
};

it('a personal token is a person by that token', async () => {
  const { id } = await insert('personal');
  const via = { kind: 'personal_token', id };
  expect(await actorOf('personal')).toEqual({ kind: 'person', ...owner, via });
});

it('an invitation acts as its person, via `invitation`', async () => {
  const { id } = await insert('invitation');
  const via = { kind: 'invitation', id };
  expect(await actorOf('invitation')).toEqual({ kind: 'person', ...owner, via });
});

it('an access token of a grant is the person by that grant, with its application', async () => {
  const grant = await insertGrant({ store }, applicationId);
  const { token, fields } = accessToken('granted');
  await insertOauthToken({ store }, grant, 'access', fields);
  const via = { kind: 'grant', id: grant.id, applicationId };
  expect(await actorOf(token)).toEqual({ kind: 'person', ...owner, via });
});

it('an access token of client credentials is the application', async () => {
  const { organizationId } = owner;
  const { token, fields } = accessToken('own');
  await insertOauthToken({ store }, { applicationId, organizationId }, 'access', fields);
  const via = { kind: 'client_credentials' };
  expect(await actorOf(token)).toEqual({ kind: 'application', organizationId, applicationId, via });
});

it('a browser session, a command and a job are a person, an operator and the service', () => {
  const via = { kind: 'browser_session', id: 'session' };
  const { organizationId } = owner;
  const request = { id: 'request', address: '192.0.2.1' };
  const person = { ...owner, sessionId: 'session', email: 'owner@localhost', name: 'Owner' };
  expect(actorInBrowser(person, request)).toEqual({
    kind: 'person',
    ...owner,
    via,
    request,
  });
  expect(operator(organizationId, 'token-create')).toEqual({
    kind: 'operator',
    organizationId,
    via: { kind: 'command', name: 'token-create' },
  });
  expect(service(organizationId, 'start')).toEqual({
    kind: 'service',
    organizationId,
    via: { kind: 'job', name: 'start' },
  });
});
