import type { AuditEvent } from '@gatehouse/contract';
import { expect } from 'vitest';
import type { Api } from '../api.ts';
import { rule } from '../case.ts';
import { makeApplication, makeIntegration, makeMember } from '../make.ts';

const FINGERPRINT = 'a'.repeat(64);

interface Admin {
  readonly id: string;
  readonly as: { readonly token: string };
}

async function makeAdmin(t: Api): Promise<Admin> {
  const { id, token } = await makeMember(t, 'admin');
  return { id, as: { token } };
}

/** What a person did after their account was opened, the oldest first: the action, the target and what it has beside. */
async function toldOf(t: Api, { id: actorId }: Pick<Admin, 'id'>) {
  const { items } = (await t.ok(`GET /audit-events?actorId=${actorId}&limit=100`)).body;
  const [, ...told] = items
    .map(({ action, target, details }: AuditEvent) => [action, target.id, details])
    .reverse();
  return told;
}

export const auditOfWritesCases = {
  title: 'The audit of writes',
  cases: [
    rule('has what is done to an integration', async (t) => {
      const admin = await makeAdmin(t);
      const { as } = admin;
      const issuer = 'https://id.example.com';
      const fields = { authMode: 'oauth', oauth: { provider: 'p', issuer } };
      const { id } = await makeIntegration(t, fields, as);
      const path = `/integrations/${id}`;
      const client = { clientId: 'c', clientSecret: 'hidden' };
      const body = { provider: 'p', issuer, scopes: [], ...client };
      await t.ok(`PUT ${path}/oauth`, { as, body });
      await t.ok(`POST ${path}/connection/authorize`, { as });
      await t.ok(`PUT ${path}/policy`, { as, body: { roles: ['owner'], tools: { deny: ['x'] } } });
      await t.ok(`PUT ${path}/policy`, { as, body: { tools: { deny: ['x'] } } });
      await t.service.addTool({ integrationId: id, name: 'send', fingerprint: FINGERPRINT });
      const fingerprints = { send: FINGERPRINT };
      for (const review of ['approve', 'approve', 'withdraw']) {
        await t.ok(`POST ${path}/tools/${review}`, { as, body: { fingerprints } });
      }
      await t.ok(`DELETE ${path}/oauth`, { as });
      await t.ok(`PATCH ${path}`, { as, body: { authMode: 'user_token' } });
      await t.ok(`POST ${path}/connection`, { as, body: { token: 'hidden' } });
      await t.ok(`DELETE ${path}/connection`, { as });
      await t.ok(`DELETE ${path}`, { as });
      await t.ok(`POST ${path}/restore`, { as });
      const roles = { field: 'roles', from: ['owner'], to: null };
      const firstRules = [
        { field: 'roles', from: null, to: ['owner'] },
        { field: 'tools', from: null, to: { deny: ['x'] } },
      ];
      const tools = [{ name: 'send', fingerprint: FINGERPRINT }];
      const oauth = expect.objectContaining({ issuer });
      expect(await toldOf(t, admin)).toEqual([
        ['integration.created', id, { authMode: 'oauth' }],
        [
          'integration.updated',
          id,
          {
            changes: [
              { field: 'oauth', from: oauth, to: expect.objectContaining({ clientId: 'c' }) },
              { field: 'clientSecret', from: false, to: true },
            ],
          },
        ],
        ['connection.link_created', `${id}:${admin.id}`, {}],
        ['integration.policy_changed', id, { fields: ['roles', 'tools'], changes: firstRules }],
        ['integration.policy_changed', id, { fields: ['roles'], changes: [roles] }],
        ['integration.tools_approved', id, { tools, count: 1 }],
        ['integration.tools_withdrawn', id, { tools, count: 1 }],
        ['integration.updated', id, { changes: [{ field: 'oauth', from: oauth, to: null }] }],
        [
          'integration.updated',
          id,
          { changes: [{ field: 'authMode', from: 'oauth', to: 'user_token' }] },
        ],
        ['connection.created', `${id}:${admin.id}`, { mode: 'user_token' }],
        ['connection.removed', `${id}:${admin.id}`, {}],
        ['integration.archived', id, {}],
        ['integration.restored', id, {}],
      ]);
    }),

    rule('leaves a rule of more than 4 KiB out, and says so', async (t) => {
      const admin = await makeAdmin(t);
      const { as } = admin;
      const { id } = await makeIntegration(t, {}, as);
      const deny = Array.from({ length: 50 }, (_, index) => `${'x'.repeat(90)}${index}`);
      const body = { roles: ['member'], tools: { deny } };
      await t.ok(`PUT /integrations/${id}/policy`, { as, body });
      const [, [action, , { changes }] = []] = await toldOf(t, admin);
      expect(action).toBe('integration.policy_changed');
      expect(changes).toEqual([
        { field: 'roles', from: null, to: ['member'] },
        { field: 'tools', from: null, to: null, truncated: true },
      ]);
    }),

    rule('has what is done to an application', async (t) => {
      const admin = await makeAdmin(t);
      const { as } = admin;
      const { id } = await makeApplication(t, {}, as);
      const path = `/applications/${id}`;
      const [first, second] = [await makeIntegration(t), await makeIntegration(t)];
      await t.ok(`PATCH ${path}`, { as, body: { name: 'Renamed' } });
      await t.ok(`PATCH ${path}/oauth`, { as, body: { allowDynamicClients: true } });
      await t.ok(`POST ${path}/integrations/${first.id}`, { as });
      await t.ok(`POST ${path}/integrations/${first.id}`, { as });
      await t.ok(`PATCH ${path}/integrations/${first.id}`, { as, body: { alias: 'first' } });
      const policy = { tools: { deny: ['x'] } };
      await t.ok(`PUT ${path}/integrations/${first.id}/policy`, { as, body: policy });
      const body = { integrationIds: [second.id] };
      await t.ok(`PUT ${path}/integrations`, { as, body });
      await t.ok(`DELETE ${path}/integrations/${second.id}`, { as });
      await t.ok(`POST ${path}/rotate-secret`, { as });
      await t.ok(`POST ${path}/revoke-access`, { as });
      await t.ok(`DELETE ${path}`, { as });
      await t.ok(`POST ${path}/restore`, { as });
      const attachments = 'application.integrations_changed';
      const name = { field: 'name', from: 'Assistant', to: 'Renamed' };
      const dynamic = { field: 'allowDynamicClients', from: false, to: true };
      expect(await toldOf(t, admin)).toEqual([
        ['application.created', id, {}],
        ['application.updated', id, { changes: [name] }],
        ['application.updated', id, { changes: [dynamic] }],
        [attachments, id, { attached: [first.id], detached: [] }],
        [
          'application.integration_updated',
          id,
          {
            integrationId: first.id,
            changes: [{ field: 'alias', from: 'issue-tracker', to: 'first' }],
          },
        ],
        [
          'application.policy_changed',
          id,
          {
            integrationId: first.id,
            fields: ['tools'],
            changes: [{ field: 'tools', from: null, to: policy.tools }],
          },
        ],
        [attachments, id, { attached: [second.id], detached: [first.id] }],
        [attachments, id, { attached: [], detached: [second.id] }],
        ['application.secret_rotated', id, {}],
        ['application.access_revoked', id, {}],
        ['application.archived', id, {}],
        ['application.restored', id, {}],
      ]);
    }),

    rule('has what is done to people, groups and tokens', async (t) => {
      const admin = await makeAdmin(t);
      const { as } = admin;
      const email = `${crypto.randomUUID()}@example.com`;
      const invited = { email, name: 'Invited', role: 'member' };
      const { id } = (await t.ok('POST /members', { as, body: invited })).body.member;
      await t.ok(`PATCH /members/${id}`, { as, body: { role: 'admin' } });
      await t.ok(`POST /members/${id}/sign-in-link`, { as, body: { purpose: 'reset' } });
      await t.ok(`POST /members/${id}/revoke-access`, { as });
      const name = `Group ${id}`;
      const group = (await t.ok('POST /groups', { as, body: { name } })).body.group.id;
      await t.ok(`PATCH /groups/${group}`, { as, body: { name: `${name} 2` } });
      for (const method of ['PUT', 'PUT', 'DELETE', 'DELETE']) {
        await t.ok(`${method} /groups/${group}/members/${id}`, { as });
      }
      await t.ok(`DELETE /groups/${group}`, { as });
      await t.ok(`DELETE /members/${id}`, { as });
      const body = { name: 'second', scopes: ['mcp'] };
      const { token } = (await t.ok('POST /tokens', { as, body })).body;
      await t.ok(`DELETE /tokens/${token.id}`, { as });
      const role = { field: 'role', from: 'member', to: 'admin' };
      const renamed = { field: 'name', from: name, to: `${name} 2` };
      expect(await toldOf(t, admin)).toEqual([
        ['member.created', id, { role: 'member' }],
        ['member.updated', id, { changes: [role] }],
        ['member.sign_in_link_created', id, { purpose: 'reset' }],
        ['member.access_revoked', id, {}],
        ['group.created', group, {}],
        ['group.updated', group, { changes: [renamed] }],
        ['group.member_added', group, { userId: id }],
        ['group.member_removed', group, { userId: id }],
        ['group.removed', group, {}],
        ['member.removed', id, {}],
        ['token.created', token.id, { userId: admin.id, scopes: ['mcp'] }],
        ['token.revoked', token.id, {}],
      ]);
    }),

    rule('has each session and grant that a person ends', async (t) => {
      const admin = await makeAdmin(t);
      const { as } = admin;
      const { id: integrationId } = await makeIntegration(t);
      const { id: applicationId } = await makeApplication(t, {}, as);
      await t.ok(`POST /applications/${applicationId}/integrations/${integrationId}`);
      const place = { applicationId, integrationId };
      const sessions = [await t.service.addSession(place), await t.service.addSession(place)];
      const [first = '', second = ''] = sessions;
      const grant = await t.service.addGrant({ applicationId, userId: admin.id });
      const session = `/applications/${applicationId}/sessions/${first}`;
      await t.ok(`DELETE ${session}`, { as });
      await t.ok(`DELETE ${session}`, { as });
      const filter = { applicationId };
      await t.ok('POST /sessions/end', { as, body: { filter, dryRun: true } });
      await t.ok('POST /sessions/end', { as, body: { filter, dryRun: false } });
      await t.ok(`DELETE /grants/${grant}`, { as });
      expect(await toldOf(t, admin)).toEqual([
        ['application.created', applicationId, {}],
        ['session.revoked', first, { applicationId }],
        ['session.revoked', second, { applicationId }],
        ['grant.ended', grant, {}],
      ]);
    }),

    rule('has the credentials that an application got, and who for', async (t) => {
      const { id: applicationId } = await makeApplication(t, { scopes: ['mcp', 'credentials'] });
      const { id: integrationId } = await makeIntegration(t, {
        category: 'internal_mcp_credentials',
        authMode: 'server_token',
        serverToken: 'hidden',
      });
      const pair = `/applications/${applicationId}/integrations/${integrationId}`;
      await t.ok(`POST ${pair}`);
      const token = await t.service.addAccessToken({ applicationId, userId: null });
      const { lease } = (await t.ok(`POST ${pair}/credential`, { as: { token } })).body;
      await t.ok(`DELETE /applications/${applicationId}/sessions/${lease.id}`);
      const path = `GET /audit-events?applicationId=${applicationId}&limit=2`;
      const { items } = (await t.ok(path)).body;
      expect(items).toMatchObject([
        { action: 'lease.revoked', target: { id: lease.id }, details: { applicationId } },
        {
          action: 'lease.created',
          actor: {
            kind: 'application',
            id: applicationId,
            name: 'Assistant',
            via: { kind: 'client_credentials', id: null },
          },
          target: { kind: 'lease', id: lease.id, name: null },
          details: { applicationId, integrationId, userId: null },
        },
      ]);
    }),
  ],
};
