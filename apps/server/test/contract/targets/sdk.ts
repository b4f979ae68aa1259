import { Gatehouse, isApiError } from '@gatehouse/sdk';
import { operationOf } from './operation-of.ts';
import type { Answer, Call, Client, Service } from './target.ts';

/** Loosely typed: cases send what the types of the SDK forbid, too. */
// biome-ignore lint/suspicious/noExplicitAny: see above
type Loose = any;
type Method = (gatehouse: Loose, call: SdkCall) => Promise<Loose>;

interface SdkCall {
  readonly id: string;
  readonly other: string;
  readonly query: Loose;
  readonly body: Loose;
  readonly options: Loose;
}

const methods: Readonly<Record<string, Method>> = {
  'integrations.create': (g, { body, options }) => g.integrations.create(body, options),
  'integrations.list': (g, { query, options }) => g.integrations.list(query, options),
  'integrations.get': (g, { id, options }) => g.integrations.get(id, options),
  'integrations.update': (g, { id, body, options }) => g.integrations.update(id, body, options),
  'integrations.archive': (g, { id, options }) => g.integrations.archive(id, options),
  'integrations.restore': (g, { id, options }) => g.integrations.restore(id, options),
  'integrations.validate': (g, { id, options }) => g.integrations.validate(id, options),
  'integrations.getPolicy': (g, { id, options }) => g.integrations.policy.get(id, options),
  'integrations.putPolicy': (g, { id, body, options }) =>
    g.integrations.policy.put(id, body, options),
  'applications.accessGraph': (g, { query, options }) => g.applications.accessGraph(query, options),
  'applications.create': (g, { body, options }) => g.applications.create(body, options),
  'applications.list': (g, { query, options }) => g.applications.list(query, options),
  'applications.get': (g, { id, options }) => g.applications.get(id, options),
  'applications.update': (g, { id, body, options }) => g.applications.update(id, body, options),
  'applications.archive': (g, { id, options }) => g.applications.archive(id, options),
  'applications.restore': (g, { id, options }) => g.applications.restore(id, options),
  'applications.rotateSecret': (g, { id, options }) => g.applications.rotateSecret(id, options),
  'applications.revokeAccess': (g, { id, options }) => g.applications.revokeAccess(id, options),
  'applications.getOauth': (g, { id, options }) => g.applications.oauth.get(id, options),
  'applications.updateOauth': (g, { id, body, options }) =>
    g.applications.oauth.update(id, body, options),
  'applications.listIntegrations': (g, { id, options }) =>
    g.applications.integrations.list(id, options),
  'applications.setIntegrations': (g, { id, body, options }) =>
    g.applications.integrations.set(id, body, options),
  'applications.attachIntegration': (g, { id, other, options }) =>
    g.applications.integrations.attach(id, other, options),
  'applications.detachIntegration': (g, { id, other, options }) =>
    g.applications.integrations.detach(id, other, options),
  'applications.getPolicy': (g, { id, other, options }) =>
    g.applications.integrations.policy.get(id, other, options),
  'applications.putPolicy': (g, { id, other, body, options }) =>
    g.applications.integrations.policy.put(id, other, body, options),
  'sessions.list': (g, { id, query, options }) => g.applications.sessions.list(id, query, options),
  'sessions.revoke': (g, { id, other, options }) =>
    g.applications.sessions.revoke(id, other, options),
  'me.get': (g, { options }) => g.me(options),
  'tokens.create': (g, { body, options }) => g.tokens.create(body, options),
  'tokens.list': (g, { query, options }) => g.tokens.list(query, options),
  'tokens.revoke': (g, { id, options }) => g.tokens.revoke(id, options),
  'members.create': (g, { body, options }) => g.members.create(body, options),
  'members.list': (g, { query, options }) => g.members.list(query, options),
  'members.update': (g, { id, body, options }) => g.members.update(id, body, options),
  'members.remove': (g, { id, options }) => g.members.remove(id, options),
  'members.revokeAccess': (g, { id, options }) => g.members.revokeAccess(id, options),
  'groups.create': (g, { body, options }) => g.groups.create(body, options),
  'groups.list': (g, { query, options }) => g.groups.list(query, options),
  'groups.get': (g, { id, options }) => g.groups.get(id, options),
  'groups.update': (g, { id, body, options }) => g.groups.update(id, body, options),
  'groups.delete': (g, { id, options }) => g.groups.delete(id, options),
  'usage.get': (g, { query, options }) => g.usage.get(query, options),
  'auditEvents.export': (g, { query, options }) =>
    g.request('GET', '/audit-events/export', { query, ...options }),
  'groups.listMembers': (g, { id, query, options }) => g.groups.members.list(id, query, options),
  'groups.addMember': (g, { id, other, options }) => g.groups.members.add(id, other, options),
  'groups.removeMember': (g, { id, other, options }) => g.groups.members.remove(id, other, options),
};

/** Operations with a method that takes a body. */
const withBody = new Set([
  'integrations.create',
  'integrations.update',
  'integrations.putPolicy',
  'applications.create',
  'applications.update',
  'applications.updateOauth',
  'applications.setIntegrations',
  'applications.putPolicy',
  'tokens.create',
  'members.create',
  'members.update',
  'groups.create',
  'groups.update',
]);

/** Calls the SDK's method where there is one; what it leaves to plain HTTP it cannot express. */
export function sdkClient({ baseUrl, fetch }: Service): Client {
  return (call) => {
    const operation = operationOf(call);
    const name = operation ? `${operation.resource}.${operation.name}` : '';
    const method = methods[name];
    if (!operation || !method || call.token === null) return undefined;
    if ((call.body !== undefined) !== withBody.has(name)) return undefined;
    const { id = '', integrationId, sessionId, memberId } = operation.params;
    const { query } = operation;
    const gatehouse = new Gatehouse({ baseUrl, accessToken: call.token, fetch, logLevel: 'off' });
    const other = integrationId ?? sessionId ?? memberId ?? '';
    const given = { id, other, query, body: call.body, options: optionsOf(call) };
    return answerOf(() => method(gatehouse, given));
  };
}

function optionsOf({ headers }: Call): Loose {
  const { 'idempotency-key': idempotencyKey, 'if-match': ifMatch, ...others } = headers;
  return { headers: others, idempotencyKey, ifMatch };
}

async function answerOf(call: () => Loose): Promise<Answer> {
  try {
    const { status, headers, data } = await call().withResponse();
    const isPage = typeof data?.hasNextPage === 'function';
    const body = isPage ? { items: data.items, nextCursor: data.nextCursor } : data;
    return { status, headers, body };
  } catch (error) {
    if (!isApiError(error)) throw error;
    return { status: error.status, headers: error.headers, body: error.problem };
  }
}
