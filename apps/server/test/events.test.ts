import { type ManagementAction, managementEventSchema } from '@gatehouse/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { reportLost, WaitingEvents } from '../src/audit/writing/waiting-events.ts';
import { runRequest } from '../src/control/requests.ts';
import { recordEnd } from '../src/credentials/oauth/refresh/record.ts';
import { signingIn } from '../src/identity/actor.ts';
import { admitExternalPerson } from '../src/identity/external/admit-external-person.ts';
import { followGroups } from '../src/identity/external/follow-groups.ts';
import { createLogger } from '../src/platform/logging.ts';
import { createLiveKeyring } from '../src/vault/live-keyring.ts';
import {
  authorize,
  authorizeParameters,
  createClient,
  createPkce,
  redeemParameters,
  requestToken,
  signedInBrowser,
} from './authorization-server/fixture.ts';
import { key } from './credentials/fixtures.ts';
import { addWorker, connect, tokenForPerson } from './resources/credentials/support.ts';
import { insertTool } from './resources/tools/support.ts';
import { Browser, givePassword, linkFor, PASSWORD } from './support/browser.ts';
import { insertGrant, insertSessionOfGrant } from './support/grants.ts';
import { useServer } from './support/server.ts';

type Line = Readonly<Record<string, unknown>>;

const written: string[] = [];
const server = useServer(
  { encryptionKeys: [key] },
  createLogger('info', { write: (line) => void written.push(line) }),
);
const db = () => server.store.db;
let owner: { id: string; tokenId: string };
let byOwner: Line;

beforeAll(async () => {
  const { user, authentication } = (await server.call('GET', '/me')).body;
  owner = { id: user.id, tokenId: authentication.tokenId };
  const means = { via: 'personal_token', viaId: owner.tokenId };
  byOwner = { actor: 'person', userId: owner.id, ...means };
});

/** The lines of the events that `act` causes, without what every line has. */
async function linesOf(act: () => Promise<unknown>): Promise<Line[]> {
  written.length = 0;
  await act();
  return written
    .map((line) => JSON.parse(line))
    .filter(({ msg }) => msg === 'management event')
    .map(({ time: _time, msg: _msg, ...line }) => line);
}

async function callOk(method: string, path: string, body?: unknown, token = server.owner) {
  const called = await server.call(method, path, { body, token });
  expect(called.status, called.text).toBeLessThan(300);
  return called.body;
}

const addApplication = async (): Promise<string> => {
  const oauth = { type: 'confidential', redirectUris: ['https://app.example.com/callback'] };
  return (await callOk('POST', '/applications', { name: 'Agent', oauth })).application.id;
};
const addIntegration = async (more: object = {}): Promise<string> => {
  const body = { name: 'Docs', url: 'https://mcp.example.com/mcp', authMode: 'user_token' };
  return (await callOk('POST', '/integrations', { ...body, ...more })).integration.id;
};
const addGroup = async (name: string): Promise<string> =>
  (await callOk('POST', '/groups', { name })).group.id;
const addConnection = async () => {
  const id = await addIntegration();
  await callOk('POST', `/integrations/${id}/connection`, { token: 'sesame' });
  return { path: `/integrations/${id}/connection`, targetId: `${id}:${owner.id}` };
};

const addOauthIntegration = async () => {
  const id = await addIntegration({ authMode: 'oauth', url: 'http://127.0.0.1:9/mcp' });
  return { path: `/integrations/${id}/connection`, targetId: `${id}:${owner.id}` };
};

const addConnectedWorker = async () => {
  const worker = await addWorker(server);
  await connect(server, worker);
  return { worker, ...(await tokenForPerson(server, worker)) };
};

const memberWithPassword = async () =>
  givePassword(server.store, (await server.addMember('member')).id);

/** As the command does it. */
function request(name: 'audit-exporting' | 'audit-new-key'): Promise<unknown> {
  const keyring = createLiveKeyring([key]);
  return runRequest({ store: server.store, publicUrl: server.origin, keys: { keyring } }, name, {});
}

interface Case {
  readonly act: () => Promise<unknown>;
  /** Of the line: what it is about, and more. */
  readonly line: () => Line;
}

/** Encryption keys are in `test/control`, imports in `test/transfer`, revocations in `test/credentials/oauth`. */
type ServedAction = Exclude<
  ManagementAction,
  `installation.${string}` | 'connection.revocation_ended'
>;

/** Prepares what an operation needs. The event is the owner's unless the line says otherwise. */
const CASES: Readonly<Record<ServedAction, () => Promise<Case>>> = {
  'organization.updated': async () => {
    const { id } = (await callOk('GET', '/me')).organization;
    const act = () => callOk('PATCH', '/organization', { name: 'Renamed' });
    return { act, line: () => ({ targetId: id, changed: ['name'] }) };
  },
  'organization.server_discovered': async () => {
    const { id } = (await callOk('GET', '/me')).organization;
    const url = 'http://127.0.0.1:9/mcp';
    const act = () => callOk('POST', '/integrations/discover', { url });
    return { act, line: () => ({ targetId: id }) };
  },
  'member.created': async () => {
    let targetId: string;
    const body = { email: 'new@example.com', name: 'New', role: 'member' };
    const act = async () => {
      targetId = (await callOk('POST', '/members', body)).member.id;
    };
    return { act, line: () => ({ targetId }) };
  },
  'member.updated': async () => {
    const { id } = await server.addMember('member');
    const body = { name: 'Another', role: 'admin' };
    const act = () => callOk('PATCH', `/members/${id}`, body);
    return { act, line: () => ({ targetId: id, changed: ['name', 'role'] }) };
  },
  'member.identity_linked': async () => {
    const { id } = await server.addMember('member');
    const { email } = await db().user.findUniqueOrThrow({ where: { id } });
    const claims = { issuer: 'https://login.example.com', subject: id, name: undefined };
    const rights = { role: undefined, groups: undefined };
    const person = { ...claims, email, isEmailVerified: true, ...rights };
    const act = () => server.store.transaction((tx) => admitExternalPerson(tx, person, []));
    return { act, line: () => ({ targetId: id, ...bySignIn(id) }) };
  },
  'member.password_set': async () => {
    const { id } = await server.addMember('member');
    const member = await db().user.findUniqueOrThrow({ where: { id } });
    const path = await linkFor(server.store, member, 'reset');
    const act = () => new Browser(server).submit(path, { password: PASSWORD, repeated: PASSWORD });
    return { act, line: () => ({ targetId: id, ...bySignIn(id) }) };
  },
  'member.signed_in': async () => {
    const { id, email } = await memberWithPassword();
    const act = () => new Browser(server).signIn(email, PASSWORD);
    return { act, line: () => ({ targetId: id, ...bySignIn(id) }) };
  },
  'member.sign_in_failed': async () => {
    const { id, email } = await memberWithPassword();
    const by = { actor: 'unknown', userId: undefined, via: 'sign_in', viaId: undefined };
    const act = async () => {
      await new Browser(server).signIn(email, 'another password');
      const isWritten = () => written.join();
      await expect.poll(isWritten, { timeout: 5_000 }).toContain('member.sign_in_failed');
    };
    return { act, line: () => ({ targetId: id, ...by }) };
  },
  'member.signed_out': async () => {
    const { id, email } = await memberWithPassword();
    const browser = new Browser(server);
    await browser.signIn(email, PASSWORD);
    const { id: viaId } = await db().browserSession.findFirstOrThrow({ where: { userId: id } });
    const by = { actor: 'person', userId: id, via: 'browser_session', viaId };
    return {
      act: () => browser.submit('/account', {}, { action: '/sign-out' }),
      line: () => ({ targetId: id, ...by }),
    };
  },
  'member.sign_in_link_created': async () => {
    const { id } = await server.addMember('member');
    return {
      act: () => callOk('POST', `/members/${id}/sign-in-link`),
      line: () => ({ targetId: id }),
    };
  },
  'member.access_revoked': async () => {
    const { id } = await server.addMember('member');
    return {
      act: () => callOk('POST', `/members/${id}/revoke-access`),
      line: () => ({ targetId: id }),
    };
  },
  'member.removed': async () => {
    const { id } = await server.addMember('admin');
    return { act: () => callOk('DELETE', `/members/${id}`), line: () => ({ targetId: id }) };
  },
  'member.groups_changed': async () => {
    const { id } = await server.addMember('member');
    const { organizationId } = await db().user.findUniqueOrThrow({ where: { id } });
    await callOk('POST', '/groups', { name: 'Followed', externalId: 'followed' });
    const actor = signingIn(organizationId, id);
    const act = () => server.store.transaction((tx) => followGroups(tx, actor, ['followed']));
    return { act, line: () => ({ targetId: id, ...bySignIn(id) }) };
  },
  'group.created': async () => {
    let targetId: string;
    const act = async () => {
      targetId = await addGroup('Created');
    };
    return { act, line: () => ({ targetId }) };
  },
  'group.updated': async () => {
    const id = await addGroup('Updated');
    const act = () => callOk('PATCH', `/groups/${id}`, { name: 'Renamed', externalId: null });
    return { act, line: () => ({ targetId: id, changed: ['name'] }) };
  },
  'group.member_added': async () => {
    const id = await addGroup('Joined');
    const act = () => callOk('PUT', `/groups/${id}/members/${owner.id}`);
    return { act, line: () => ({ targetId: id }) };
  },
  'group.member_removed': async () => {
    const id = await addGroup('Left');
    const path = `/groups/${id}/members/${owner.id}`;
    await callOk('PUT', path);
    return { act: () => callOk('DELETE', path), line: () => ({ targetId: id }) };
  },
  'group.removed': async () => {
    const id = await addGroup('Removed');
    return { act: () => callOk('DELETE', `/groups/${id}`), line: () => ({ targetId: id }) };
  },
  'application.created': async () => {
    let targetId: string;
    const act = async () => {
      targetId = await addApplication();
    };
    return { act, line: () => ({ targetId }) };
  },
  'application.updated': async () => {
    const id = await addApplication();
    const act = () =>
      callOk('PATCH', `/applications/${id}/oauth`, { type: 'public', allowDynamicClients: true });
    return { act, line: () => ({ targetId: id, changed: ['type', 'allowDynamicClients'] }) };
  },
  'application.integrations_changed': async () => {
    const [id, integrationId] = [await addApplication(), await addIntegration()];
    const act = () => callOk('POST', `/applications/${id}/integrations/${integrationId}`);
    return { act, line: () => ({ targetId: id }) };
  },
  'application.integration_updated': async () => {
    const [id, integrationId] = [await addApplication(), await addIntegration()];
    await callOk('POST', `/applications/${id}/integrations/${integrationId}`);
    const path = `/applications/${id}/integrations/${integrationId}`;
    const act = () => callOk('PATCH', path, { alias: 'renamed' });
    return { act, line: () => ({ targetId: id, changed: ['alias'] }) };
  },
  'application.policy_changed': async () => {
    const [id, integrationId] = [await addApplication(), await addIntegration()];
    await callOk('POST', `/applications/${id}/integrations/${integrationId}`);
    const path = `/applications/${id}/integrations/${integrationId}/policy`;
    const act = () => callOk('PUT', path, { roles: ['owner'], tools: { deny: ['*_delete'] } });
    return { act, line: () => ({ targetId: id, changed: ['roles', 'tools'] }) };
  },
  'application.secret_rotated': async () => {
    const id = await addApplication();
    const act = () => callOk('POST', `/applications/${id}/rotate-secret`);
    return { act, line: () => ({ targetId: id }) };
  },
  'application.access_revoked': async () => {
    const id = await addApplication();
    const act = () => callOk('POST', `/applications/${id}/revoke-access`);
    return { act, line: () => ({ targetId: id }) };
  },
  'application.archived': async () => {
    const { clientId, integrationId } = await createClient(server);
    await insertSessionOfGrant(server, await insertGrant(server, clientId), integrationId);
    return {
      act: () => callOk('DELETE', `/applications/${clientId}`),
      line: () => ({ targetId: clientId }),
    };
  },
  'application.restored': async () => {
    const id = await addApplication();
    await callOk('DELETE', `/applications/${id}`);
    return {
      act: () => callOk('POST', `/applications/${id}/restore`),
      line: () => ({ targetId: id }),
    };
  },
  'integration.created': async () => {
    let targetId: string;
    const act = async () => {
      targetId = await addIntegration();
    };
    return { act, line: () => ({ targetId }) };
  },
  'integration.updated': async () => {
    const id = await addIntegration();
    const body = { name: 'Manual', authMode: 'server_token', serverToken: 'sesame' };
    const act = () => callOk('PATCH', `/integrations/${id}`, body);
    return { act, line: () => ({ targetId: id, changed: ['name', 'authMode', 'serverToken'] }) };
  },
  'integration.policy_changed': async () => {
    const id = await addIntegration();
    const act = () => callOk('PUT', `/integrations/${id}/policy`, { prompts: { allow: [] } });
    return { act, line: () => ({ targetId: id, changed: ['prompts'] }) };
  },
  'integration.tools_approved': async () => {
    const id = await addIntegration();
    const fingerprint = await insertTool(server, { integrationId: id });
    const body = { fingerprints: { search: fingerprint } };
    const act = () => callOk('POST', `/integrations/${id}/tools/approve`, body);
    return { act, line: () => ({ targetId: id, changed: ['search'] }) };
  },
  'integration.tools_withdrawn': async () => {
    const id = await addIntegration();
    const approvedAt = new Date();
    const fingerprint = await insertTool(server, { integrationId: id, approvedAt });
    const body = { fingerprints: { search: fingerprint } };
    const act = () => callOk('POST', `/integrations/${id}/tools/withdraw`, body);
    return { act, line: () => ({ targetId: id, changed: ['search'] }) };
  },
  'integration.validated': async () => {
    const id = await addIntegration({ url: 'http://127.0.0.1:9/mcp', authMode: 'none' });
    return {
      act: () => callOk('POST', `/integrations/${id}/validate`),
      line: () => ({ targetId: id }),
    };
  },
  'integration.archived': async () => {
    const id = await addIntegration();
    return { act: () => callOk('DELETE', `/integrations/${id}`), line: () => ({ targetId: id }) };
  },
  'integration.restored': async () => {
    const id = await addIntegration();
    await callOk('DELETE', `/integrations/${id}`);
    return {
      act: () => callOk('POST', `/integrations/${id}/restore`),
      line: () => ({ targetId: id }),
    };
  },
  'connection.created': async () => {
    const { path, targetId } = await addConnection();
    return { act: () => callOk('POST', path, { token: 'another' }), line: () => ({ targetId }) };
  },
  'connection.link_created': async () => {
    const { path, targetId } = await addOauthIntegration();
    return { act: () => callOk('POST', `${path}/authorize`), line: () => ({ targetId }) };
  },
  'connection.link_used': async () => {
    const { path, targetId } = await addOauthIntegration();
    const { authorizationUrl } = await callOk('POST', `${path}/authorize`);
    const browser = new Browser(server);
    await browser.submit(await linkFor(server.store, await givePassword(server.store), 'sign_in'));
    const { id: viaId } = await db().browserSession.findFirstOrThrow({ orderBy: { id: 'desc' } });
    const form = { decision: 'cancel' };
    const act = () => browser.submit(new URL(authorizationUrl).pathname, form);
    return { act, line: () => ({ targetId, via: 'browser_session', viaId }) };
  },
  'connection.needs_reauth': async () => {
    const { targetId } = await addConnection();
    const [integrationId = ''] = targetId.split(':');
    const { id: connectionId, tokenVersion } = await db().connection.findFirstOrThrow({
      where: { integrationId },
    });
    const act = () => recordEnd(server.store, { connectionId, tokenVersion });
    const actor = { actor: 'service', userId: undefined, via: 'job', viaId: 'refresh' };
    return { act, line: () => ({ targetId, ...actor }) };
  },
  'connection.removed': async () => {
    const { path, targetId } = await addConnection();
    return { act: () => callOk('DELETE', path), line: () => ({ targetId }) };
  },
  'token.created': async () => {
    let targetId: string;
    const act = async () => {
      const created = await callOk('POST', '/tokens', { name: 'CI', scopes: ['mcp'] });
      targetId = created.token.id;
    };
    return { act, line: () => ({ targetId }) };
  },
  'token.revoked': async () => {
    const { token } = await callOk('POST', '/tokens', { name: 'CI', scopes: ['mcp'] });
    return {
      act: () => callOk('DELETE', `/tokens/${token.id}`),
      line: () => ({ targetId: token.id }),
    };
  },
  'grant.created': async () => {
    const client = await createClient(server);
    const browser = await signedInBrowser(server);
    const { id: viaId } = await db().browserSession.findFirstOrThrow({ orderBy: { id: 'desc' } });
    const act = () => authorize(server, browser, authorizeParameters(client, createPkce()));
    const targetId = expect.any(String);
    return { act, line: () => ({ targetId, via: 'browser_session', viaId }) };
  },
  'grant.extended': async () => {
    const { clientId, integrationId } = await createClient(server, { authMode: 'user_token' });
    const resources = [`${server.origin}/mcp/${clientId}`];
    const { id } = await insertGrant(server, clientId, { resources });
    const browser = await signedInBrowser(server);
    const { id: viaId } = await db().browserSession.findFirstOrThrow({ orderBy: { id: 'desc' } });
    const page = await browser.get(`/connect?integration=${integrationId}&grant=${id}`);
    const text = await page.text();
    const act = () => browser.submit(text, { decision: 'allow' });
    return { act, line: () => ({ targetId: id, via: 'browser_session', viaId }) };
  },
  'grant.ended': async () => {
    const { id } = await insertGrant(server, await addApplication());
    return { act: () => callOk('DELETE', `/grants/${id}`), line: () => ({ targetId: id }) };
  },
  'session.revoked': async () => {
    const { clientId, integrationId } = await createClient(server);
    const grant = await insertGrant(server, clientId);
    const id = await insertSessionOfGrant(server, grant, integrationId);
    const act = () => callOk('DELETE', `/applications/${clientId}/sessions/${id}`);
    return { act, line: () => ({ targetId: id }) };
  },
  'lease.created': async () => {
    const { worker, token, grant } = await addConnectedWorker();
    let targetId: string;
    const act = async () => {
      targetId = (await callOk('POST', worker.path, undefined, token)).lease.id;
    };
    const { applicationId } = worker;
    const by = { via: 'grant', viaId: grant.id, applicationId };
    return { act, line: () => ({ targetId, ...by }) };
  },
  'lease.revoked': async () => {
    const { worker, token } = await addConnectedWorker();
    const { id } = (await callOk('POST', worker.path, undefined, token)).lease;
    const act = () => callOk('DELETE', `/applications/${worker.applicationId}/sessions/${id}`);
    return { act, line: () => ({ targetId: id }) };
  },
  'audit.exported': async () => {
    const { id } = (await callOk('GET', '/me')).organization;
    const act = () => request('audit-exporting');
    return { act, line: () => ({ targetId: id, ...byOperator('audit export') }) };
  },
  'audit.key_created': async () => {
    const { id } = (await callOk('GET', '/me')).organization;
    const act = () => request('audit-new-key');
    return { act, line: () => ({ targetId: id, ...byOperator('audit new-key') }) };
  },
  'audit.read': async () => {
    const { id } = (await callOk('GET', '/me')).organization;
    const act = () => callOk('GET', '/audit-events?action=member.created');
    return { act, line: () => ({ targetId: id }) };
  },
  'audit.calls_lost': async () => {
    const { id } = (await callOk('GET', '/me')).organization;
    const waiting = new WaitingEvents();
    waiting.addLost(id, 3);
    const by = { actor: 'service', userId: undefined, via: 'job', viaId: 'audit' };
    return { act: () => reportLost(server.store, waiting), line: () => ({ targetId: id, ...by }) };
  },
};

const byOperator = (command: string): Line => ({
  actor: 'operator',
  userId: undefined,
  via: 'command',
  viaId: command,
});

const bySignIn = (userId: string): Line => ({
  actor: 'person',
  userId,
  via: 'sign_in',
  viaId: undefined,
});

describe('an operation writes one line', () => {
  it.each(Object.entries(CASES))('%s', async (action, prepare) => {
    const { act, line } = await prepare();
    const written = await linesOf(act);
    // A password that is chosen by a link signs in too.
    const isOther = (line: Line) => line.action === 'member.signed_in' && action !== line.action;
    const lines = written.filter((line) => !isOther(line));
    const expected = { level: 'info', action, ...byOwner, ...line() };
    expect(lines).toEqual([expected]);
  });

  it('of each action that the contract has', () => {
    const actions = managementEventSchema.options.map(({ shape }) => shape.action.value);
    const elsewhere = /^installation\.|^connection\.revocation_ended$/;
    const served = actions.filter((action) => !elsewhere.test(action));
    expect(Object.keys(CASES).sort()).toEqual(served.sort());
  });

  it('with the names of changed fields, and without values, emails and secrets', async () => {
    const secret = 'sesame-is-not-in-any-line';
    const lines = await linesOf(async () => {
      const id = await addIntegration({ authMode: 'server_token', serverToken: secret });
      await callOk('PATCH', `/integrations/${id}`, { serverToken: `${secret}-2`, name: 'Renamed' });
      await callOk('POST', '/members', { email: 'eve@example.com', name: 'Eve', role: 'member' });
    });
    expect(lines).toHaveLength(3);
    const text = JSON.stringify(lines);
    for (const value of [secret, 'Renamed', 'eve@example.com', 'Eve']) {
      expect(text).not.toContain(value);
    }
  });
});

describe('an operation writes no line', () => {
  it('when it changes nothing', async () => {
    const id = await addApplication();
    expect(await linesOf(() => callOk('PATCH', `/applications/${id}`, { name: 'Agent' }))).toEqual(
      [],
    );
  });

  it('when it is refused', async () => {
    const id = await addApplication();
    const headers = { 'if-match': '"99"' };
    const act = () => server.call('PATCH', `/applications/${id}`, { body: { name: 'B' }, headers });
    expect(await linesOf(act)).toEqual([]);
  });

  it('when its response is replayed', async () => {
    const options = {
      body: { name: 'CI', scopes: ['mcp'] },
      headers: { 'idempotency-key': 'once-is-enough' },
    };
    const act = () => server.call('POST', '/tokens', options);
    expect(await linesOf(act)).toHaveLength(1);
    expect(await linesOf(act)).toEqual([]);
  });
});

describe('a line names who acts', () => {
  it('an operator by a command', async () => {
    const keys = { keyring: createLiveKeyring([{ id: 'test', key: Buffer.alloc(32) }]) };
    const input = {
      email: 'owner@localhost',
      name: 'CI',
      scopes: ['mcp' as const],
      lifetime: null,
    };
    const deps = { store: server.store, publicUrl: server.origin, keys };
    const [line] = await linesOf(() => runRequest(deps, 'token-create', input));
    expect(line).toMatchObject({
      action: 'token.created',
      actor: 'operator',
      viaId: 'token create',
    });
  });

  it('an invited member by the invitation', async () => {
    const body = { email: 'invited@example.com', name: 'Invited', role: 'member' };
    const { member, invitation } = await callOk('POST', '/members', body);
    const token = { name: 'First', scopes: ['mcp'] };
    const [line] = await linesOf(() => callOk('POST', '/tokens', token, invitation));
    expect(line).toMatchObject({ action: 'token.created', userId: member.id, via: 'invitation' });
  });

  it('the service when a code comes twice', async () => {
    const client = await createClient(server);
    const pkce = createPkce();
    const browser = await signedInBrowser(server);
    const back = await authorize(server, browser, authorizeParameters(client, pkce));
    const redeem = redeemParameters(client, pkce, back.get('code') ?? '');
    expect((await requestToken(server, redeem)).status).toBe(200);
    await db().oauthToken.updateMany({
      where: { kind: 'code', clientId: client.clientId },
      data: { consumedAt: new Date(Date.now() - 60_000) },
    });
    const [line, ...more] = await linesOf(() => requestToken(server, redeem));
    expect(line).toMatchObject({ action: 'grant.ended', viaId: 'reuse_detection' });
    expect(more).toEqual([]);
  });
});
