import type { Gatehouse } from '../../src/index.ts';

/** A call of one method and the request it must make. */
export interface Operation {
  /** Its name in the route table. */
  readonly name: string;
  readonly call: (gatehouse: Gatehouse) => PromiseLike<unknown>;
  /** Method and target, relative to `/api/v1`. */
  readonly request: string;
  readonly body?: object;
}

function operation(
  name: string,
  call: Operation['call'],
  request: string,
  body?: object,
): Operation {
  return body === undefined ? { name, call, request } : { name, call, request, body };
}

const name = 'Issue tracker';
const url = 'https://mcp.example.com/mcp';
const oauth = { type: 'public', redirectUris: ['http://127.0.0.1/callback'] } as const;
const page = 'limit=2&cursor=c1';

/** A call of every method with the request it must make. */
export const operations: readonly Operation[] = [
  operation(
    'integrations.create',
    (g) => g.integrations.create({ name, url }),
    'POST /integrations',
    { name, url },
  ),
  operation(
    'integrations.list',
    (g) => g.integrations.list({ limit: 2, cursor: 'c1', name: 'a b', includeArchived: true }),
    `GET /integrations?${page}&name=a+b&includeArchived=true`,
  ),
  operation('integrations.get', (g) => g.integrations.get('i1'), 'GET /integrations/i1'),
  operation(
    'integrations.update',
    (g) => g.integrations.update('i1', { name }),
    'PATCH /integrations/i1',
    { name },
  ),
  operation('integrations.archive', (g) => g.integrations.archive('i1'), 'DELETE /integrations/i1'),
  operation(
    'integrations.restore',
    (g) => g.integrations.restore('i1'),
    'POST /integrations/i1/restore',
  ),
  operation(
    'integrations.validate',
    (g) => g.integrations.validate('i1'),
    'POST /integrations/i1/validate',
  ),
  operation(
    'integrations.getPolicy',
    (g) => g.integrations.policy.get('i1'),
    'GET /integrations/i1/policy',
  ),
  operation(
    'integrations.putPolicy',
    (g) => g.integrations.policy.put('i1', { roles: ['admin'] }),
    'PUT /integrations/i1/policy',
    { roles: ['admin'] },
  ),
  operation(
    'applications.accessGraph',
    (g) => g.applications.accessGraph({ includePolicy: false }),
    'GET /applications/access-graph?includePolicy=false',
  ),
  operation(
    'applications.create',
    (g) => g.applications.create({ name, oauth }),
    'POST /applications',
    { name, oauth },
  ),
  operation(
    'applications.list',
    (g) => g.applications.list({ limit: 2, cursor: 'c1', all: true }),
    `GET /applications?${page}&all=true`,
  ),
  operation('applications.get', (g) => g.applications.get('a1'), 'GET /applications/a1'),
  operation(
    'applications.update',
    (g) => g.applications.update('a1', { name }),
    'PATCH /applications/a1',
    { name },
  ),
  operation('applications.archive', (g) => g.applications.archive('a1'), 'DELETE /applications/a1'),
  operation(
    'applications.restore',
    (g) => g.applications.restore('a1'),
    'POST /applications/a1/restore',
  ),
  operation(
    'applications.rotateSecret',
    (g) => g.applications.rotateSecret('a1'),
    'POST /applications/a1/rotate-secret',
  ),
  operation(
    'applications.revokeAccess',
    (g) => g.applications.revokeAccess('a1'),
    'POST /applications/a1/revoke-access',
  ),
  operation(
    'applications.getOauth',
    (g) => g.applications.oauth.get('a1'),
    'GET /applications/a1/oauth',
  ),
  operation(
    'applications.updateOauth',
    (g) => g.applications.oauth.update('a1', { pkceRequired: false }),
    'PATCH /applications/a1/oauth',
    { pkceRequired: false },
  ),
  operation(
    'applications.getAggregate',
    (g) => g.applications.aggregate.get('a1'),
    'GET /applications/a1/aggregate',
  ),
  operation(
    'applications.listIntegrations',
    (g) => g.applications.integrations.list('a1'),
    'GET /applications/a1/integrations',
  ),
  operation(
    'applications.setIntegrations',
    (g) => g.applications.integrations.set('a1', { integrationIds: ['i1'] }),
    'PUT /applications/a1/integrations',
    { integrationIds: ['i1'] },
  ),
  operation(
    'applications.attachIntegration',
    (g) => g.applications.integrations.attach('a1', 'i1'),
    'POST /applications/a1/integrations/i1',
  ),
  operation(
    'applications.updateIntegration',
    (g) => g.applications.integrations.update('a1', 'i1', { alias: 'issues' }),
    'PATCH /applications/a1/integrations/i1',
    { alias: 'issues' },
  ),
  operation(
    'applications.detachIntegration',
    (g) => g.applications.integrations.detach('a1', 'i1'),
    'DELETE /applications/a1/integrations/i1',
  ),
  operation(
    'applications.getPolicy',
    (g) => g.applications.integrations.policy.get('a1', 'i1'),
    'GET /applications/a1/integrations/i1/policy',
  ),
  operation(
    'applications.putPolicy',
    (g) => g.applications.integrations.policy.put('a1', 'i1', { tools: { deny: ['x*'] } }),
    'PUT /applications/a1/integrations/i1/policy',
    { tools: { deny: ['x*'] } },
  ),
  operation(
    'sessions.list',
    (g) => g.applications.sessions.list('a1', { limit: 2, cursor: 'c1' }),
    `GET /applications/a1/sessions?${page}`,
  ),
  operation(
    'sessions.revoke',
    (g) => g.applications.sessions.revoke('a1', 's1'),
    'DELETE /applications/a1/sessions/s1',
  ),
  operation('me.get', (g) => g.me(), 'GET /me'),
  operation('tokens.create', (g) => g.tokens.create({ name, scopes: ['mcp'] }), 'POST /tokens', {
    name,
    scopes: ['mcp'],
  }),
  operation('tokens.list', (g) => g.tokens.list({ limit: 2, cursor: 'c1' }), `GET /tokens?${page}`),
  operation('tokens.revoke', (g) => g.tokens.revoke('t1'), 'DELETE /tokens/t1'),
  operation(
    'members.create',
    (g) => g.members.create({ email: 'a@example.com', name, role: 'member' }),
    'POST /members',
    { email: 'a@example.com', name, role: 'member' },
  ),
  operation(
    'members.list',
    (g) => g.members.list({ limit: 2, cursor: 'c1' }),
    `GET /members?${page}`,
  ),
  operation(
    'members.update',
    (g) => g.members.update('m1', { role: 'admin' }),
    'PATCH /members/m1',
    { role: 'admin' },
  ),
  operation('members.remove', (g) => g.members.remove('m1'), 'DELETE /members/m1'),
  operation(
    'members.revokeAccess',
    (g) => g.members.revokeAccess('m1'),
    'POST /members/m1/revoke-access',
  ),
  operation(
    'usage.get',
    (g) => g.usage.get({ from: '2026-11-01', to: '2026-12-01', step: 'day', groupBy: 'tool' }),
    'GET /usage?from=2026-11-01&to=2026-12-01&step=day&groupBy=tool',
  ),
  operation('groups.create', (g) => g.groups.create({ name }), 'POST /groups', { name }),
  operation('groups.list', (g) => g.groups.list({ limit: 2, cursor: 'c1' }), `GET /groups?${page}`),
  operation('groups.get', (g) => g.groups.get('g1'), 'GET /groups/g1'),
  operation(
    'groups.update',
    (g) => g.groups.update('g1', { externalId: null }),
    'PATCH /groups/g1',
    { externalId: null },
  ),
  operation('groups.delete', (g) => g.groups.delete('g1'), 'DELETE /groups/g1'),
  operation(
    'groups.listMembers',
    (g) => g.groups.members.list('g1', { limit: 2, cursor: 'c1' }),
    `GET /groups/g1/members?${page}`,
  ),
  operation(
    'groups.addMember',
    (g) => g.groups.members.add('g1', 'm1'),
    'PUT /groups/g1/members/m1',
  ),
  operation(
    'groups.removeMember',
    (g) => g.groups.members.remove('g1', 'm1'),
    'DELETE /groups/g1/members/m1',
  ),
];
