import type { ManagementAction, Routes } from '@gatehouse/contract';
import { addWorker, connect, tokenForPerson } from '../../resources/credentials/support.ts';
import { insertTool } from '../../resources/tools/support.ts';
import { insertGrant, insertSessionOfGrant } from '../../support/grants.ts';
import { type Maker, NOWHERE } from './make.ts';

/** `<resource>.<operation>` of every operation that is no GET. */
export type WritingOperation = {
  [Resource in keyof Routes & string]: {
    [Name in keyof Routes[Resource] & string]: Routes[Resource][Name] extends { method: 'GET' }
      ? never
      : `${Resource}.${Name}`;
  }[keyof Routes[Resource] & string];
}[keyof Routes & string];

/** Those that tell who has read the audit. */
type RecordedReading = 'auditEvents.list' | 'auditEvents.export' | 'auditEvents.get';

/** A request that changes something, and what it records. */
export interface Carried {
  /** Of the path, in their order. */
  readonly ids?: readonly string[];
  readonly query?: string;
  readonly body?: unknown;
  /** By default the owner's. Whoever sends it acts for the owner. */
  readonly token?: string;
  /** Or why there is no event. */
  readonly records: ManagementAction | { readonly nothing: string };
}

type Operation = (make: Maker) => Promise<Carried>;

const DENY = { tools: { deny: ['delete_*'] } };

/** How each operation is carried out. A new one has to be added: to record something, or nothing for a reason. */
export const OPERATIONS: Readonly<Record<WritingOperation | RecordedReading, Operation>> = {
  'integrations.create': async ({ plant }) => {
    const body = { name: 'Docs', url: NOWHERE, authMode: 'server_token', serverToken: plant() };
    return { body, records: 'integration.created' };
  },
  'integrations.discover': async () => ({
    body: { url: NOWHERE },
    records: 'organization.server_discovered',
  }),
  'integrations.update': async ({ integration, plant }) => {
    const ids = [await integration()];
    const body = { authMode: 'server_token', serverToken: plant() };
    return { ids, body, records: 'integration.updated' };
  },
  'integrations.archive': async ({ integration }) => ({
    ids: [await integration()],
    records: 'integration.archived',
  }),
  'integrations.restore': async ({ ok, integration }) => {
    const id = await integration();
    await ok(`DELETE /integrations/${id}`);
    return { ids: [id], records: 'integration.restored' };
  },
  'integrations.validate': async ({ integration }) => ({
    ids: [await integration()],
    records: 'integration.validated',
  }),
  'integrations.putOauth': async ({ integration, plant }) => {
    const ids = [await integration({ authMode: 'oauth' })];
    const secrets = { clientSecret: plant(), tokenParams: { audience: plant() } };
    const issuer = 'https://id.example.com';
    const body = { provider: 'p', issuer, scopes: [], clientId: 'us', ...secrets };
    return { ids, body, records: 'integration.updated' };
  },
  'integrations.deleteOauth': async ({ integration }) => {
    const oauth = { issuer: 'https://id.example.com' };
    return {
      ids: [await integration({ authMode: 'oauth', oauth })],
      records: 'integration.updated',
    };
  },
  'integrations.putPolicy': async ({ integration }) => ({
    ids: [await integration()],
    body: DENY,
    records: 'integration.policy_changed',
  }),
  'tools.approve': async (make) => {
    const integrationId = await make.integration();
    const body = { fingerprints: { search: await insertTool(make.server, { integrationId }) } };
    return { ids: [integrationId], body, records: 'integration.tools_approved' };
  },
  'tools.withdraw': async (make) => {
    const integrationId = await make.integration();
    const tool = { integrationId, approvedAt: new Date() };
    const body = { fingerprints: { search: await insertTool(make.server, tool) } };
    return { ids: [integrationId], body, records: 'integration.tools_withdrawn' };
  },
  'connections.set': async ({ integration, plant }) => ({
    ids: [await integration({ authMode: 'user_token' })],
    body: { token: plant() },
    records: 'connection.created',
  }),
  'connections.delete': async (make) => ({
    ids: [await connectedIntegration(make)],
    records: 'connection.removed',
  }),
  'connections.authorize': async ({ integration }) => ({
    ids: [await integration({ authMode: 'oauth' })],
    records: 'connection.link_created',
  }),
  'connections.test': async (make) => ({
    ids: [await connectedIntegration(make)],
    records: { nothing: 'It stores nothing.' },
  }),
  'applications.create': async () => ({
    body: { name: 'Agent', oauth: { type: 'confidential', redirectUris: [] } },
    records: 'application.created',
  }),
  'applications.whatIf': async ({ application }) => ({
    body: { changes: [{ kind: 'archive', applicationId: await application() }] },
    records: { nothing: 'It changes nothing.' },
  }),
  'applications.update': async ({ application }) => ({
    ids: [await application()],
    body: { name: 'Renamed' },
    records: 'application.updated',
  }),
  'applications.archive': async ({ application }) => ({
    ids: [await application()],
    records: 'application.archived',
  }),
  'applications.restore': async ({ ok, application }) => {
    const id = await application();
    await ok(`DELETE /applications/${id}`);
    return { ids: [id], records: 'application.restored' };
  },
  'applications.rotateSecret': async ({ application }) => ({
    ids: [await application()],
    records: 'application.secret_rotated',
  }),
  'applications.revokeAccess': async ({ application }) => ({
    ids: [await application()],
    records: 'application.access_revoked',
  }),
  'applications.updateOauth': async ({ application }) => ({
    ids: [await application()],
    body: { pkceRequired: false },
    records: 'application.updated',
  }),
  'applications.setIntegrations': async ({ application, integration }) => ({
    ids: [await application()],
    body: { integrationIds: [await integration()] },
    records: 'application.integrations_changed',
  }),
  'applications.attachIntegration': async ({ application, integration }) => ({
    ids: [await application(), await integration()],
    records: 'application.integrations_changed',
  }),
  'applications.updateIntegration': async ({ pair }) => ({
    ids: await pair(),
    body: { alias: 'renamed' },
    records: 'application.integration_updated',
  }),
  'applications.detachIntegration': async ({ pair }) => ({
    ids: await pair(),
    records: 'application.integrations_changed',
  }),
  'applications.putPolicy': async ({ pair }) => ({
    ids: await pair(),
    body: DENY,
    records: 'application.policy_changed',
  }),
  'credentials.handOut': async ({ server, plant }) => {
    const worker = await addWorker(server);
    await connect(server, worker, { token: plant() });
    const { token } = await tokenForPerson(server, worker);
    const ids = [worker.applicationId, worker.integrationId];
    return { ids, token, records: 'lease.created' };
  },
  'sessions.revoke': async (make) => {
    const [applicationId, session] = await applicationWithSession(make);
    return { ids: [applicationId, session], records: 'session.revoked' };
  },
  'sessions.end': async (make) => {
    const [applicationId] = await applicationWithSession(make);
    const body = { filter: { applicationId }, dryRun: false };
    return { body, records: 'session.revoked' };
  },
  'organization.update': async () => ({
    body: { name: `Organization ${crypto.randomUUID()}` },
    records: 'organization.updated',
  }),
  'tokens.create': async () => ({
    body: { name: 'CI', scopes: ['mcp'] },
    records: 'token.created',
  }),
  'tokens.revoke': async ({ ok }) => {
    const { token } = await ok('POST /tokens', { name: 'CI', scopes: ['mcp'] });
    return { ids: [token.id], records: 'token.revoked' };
  },
  'members.create': async ({ email }) => ({
    body: { email: email(), name: 'New', role: 'member' },
    records: 'member.created',
  }),
  'members.update': async ({ member }) => ({
    ids: [await member()],
    body: { name: 'Another', role: 'admin' },
    records: 'member.updated',
  }),
  'members.remove': async ({ member }) => ({ ids: [await member()], records: 'member.removed' }),
  'members.revokeAccess': async ({ member }) => ({
    ids: [await member()],
    records: 'member.access_revoked',
  }),
  'members.createSignInLink': async ({ member }) => ({
    ids: [await member()],
    records: 'member.sign_in_link_created',
  }),
  'groups.create': async () => ({
    body: { name: `Group ${crypto.randomUUID()}` },
    records: 'group.created',
  }),
  'groups.update': async ({ group }) => ({
    ids: [await group()],
    body: { externalId: 'elsewhere' },
    records: 'group.updated',
  }),
  'groups.delete': async ({ group }) => ({ ids: [await group()], records: 'group.removed' }),
  'groups.addMember': async ({ group, member }) => ({
    ids: [await group(), await member()],
    records: 'group.member_added',
  }),
  'groups.removeMember': async ({ ok, group, member }) => {
    const ids = [await group(), await member()];
    await ok(`PUT /groups/${ids[0]}/members/${ids[1]}`);
    return { ids, records: 'group.member_removed' };
  },
  'grants.end': async ({ server, application }) => ({
    ids: [(await insertGrant(server, await application())).id],
    records: 'grant.ended',
  }),
  'auditEvents.list': async () => ({
    query: '?action=member.created',
    records: 'audit.read',
  }),
  'auditEvents.export': async () => ({ records: 'audit.exported' }),
  'auditEvents.get': async ({ server }) => ({
    ids: [(await server.store.db.auditEvent.findFirstOrThrow()).id],
    records: 'audit.read',
  }),
};

async function connectedIntegration({ ok, integration, plant }: Maker): Promise<string> {
  const id = await integration({ authMode: 'user_token' });
  await ok(`POST /integrations/${id}/connection`, { token: plant() });
  return id;
}

async function applicationWithSession({ server, pair }: Maker) {
  const [applicationId, integrationId] = await pair();
  const grant = await insertGrant(server, applicationId);
  const session = await insertSessionOfGrant(server, grant, integrationId);
  return [applicationId, session] as const;
}
