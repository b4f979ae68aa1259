import { limits } from '@gatehouse/contract';
import { expect } from 'vitest';
import type { Api } from '../api.ts';
import { rule } from '../case.ts';
import { makeApplication, makeIntegration, makeMember, NOWHERE } from '../make.ts';

const graph = async (t: Api, query = '') =>
  (await t.ok(`GET /applications/access-graph${query}`)).body;

interface Edge {
  readonly applicationId: string;
  readonly integrationId: string;
  readonly use: string;
  readonly policy?: { readonly allowed: boolean; readonly reasons: { readonly code: string }[] };
}

const idOf = ({ id }: { readonly id: string }) => id;

const codesOf = ({ policy }: Edge) => policy?.reasons.map(({ code }) => code);

export const accessGraphCases = {
  title: 'Access graph',
  cases: [
    rule('shows applications, integrations and what is attached', async (t) => {
      const { id: applicationId, name, ownerUserId } = await makeApplication(t);
      const integration = await makeIntegration(t);
      const integrationId = integration.id;
      await t.ok(`POST /applications/${applicationId}/integrations/${integrationId}`);
      // The suite has made more applications than a page shows.
      const own = `?applicationId=${applicationId}`;
      const { applications, integrations, edges, truncated } = await graph(t, own);
      expect(applications).toContainEqual({
        id: applicationId,
        name,
        ownerUserId,
        archivedAt: null,
      });
      expect(integrations).toContainEqual({
        id: integrationId,
        name: integration.name,
        category: integration.category,
        authMode: integration.authMode,
        validationStatus: 'pending',
        archivedAt: null,
      });
      expect(edges[0]).toStrictEqual({
        applicationId,
        integrationId,
        attachedAt: expect.any(String),
        use: 'called_through',
      });
      expect(truncated).toBe(false);
    }),

    rule('says for each edge whether it works, and why not', async (t) => {
      const { id: applicationId } = await makeApplication(t);
      const made = {
        fine: await makeIntegration(t),
        internal: await makeIntegration(t, { category: 'internal_mcp_credentials' }),
        tokenless: await makeIntegration(t, { authMode: 'server_token', serverToken: 'x' }),
        unconfigured: await makeIntegration(t, { authMode: 'oauth' }),
        archived: await makeIntegration(t),
        // Without an issuer, the metadata of the resource names one.
        issuerless: await makeIntegration(t, { authMode: 'oauth', oauth: {} }),
      };
      const integrationIds = Object.values(made).map(({ id }) => id);
      await t.ok(`PUT /applications/${applicationId}/integrations`, { body: { integrationIds } });
      await t.ok(`DELETE /integrations/${made.archived.id}`);
      await t.ok(`DELETE /integrations/${made.unconfigured.id}/oauth`);
      const edges: Edge[] = (await graph(t, '?includePolicy=true')).edges;
      const codes = (id: string) => {
        const edge = edges.find((one) => one.integrationId === id);
        return edge && codesOf(edge);
      };
      expect(codes(made.fine.id)).toEqual([]);
      expect(codes(made.internal.id)).toEqual(['not_proxied']);
      expect(codes(made.tokenless.id)).toEqual([]);
      expect(codes(made.unconfigured.id)).toEqual(['oauth_not_configured']);
      expect(codes(made.issuerless.id)).toEqual([]);
      expect(codes(made.archived.id)).toEqual(['integration_archived']);
      await t.ok(`DELETE /applications/${applicationId}`);
      const later: Edge[] = (await graph(t, '?includePolicy=true')).edges;
      const own = later.filter((edge) => edge.applicationId === applicationId);
      expect(own).toHaveLength(6);
      for (const edge of own) expect(codesOf(edge)).toContain('application_archived');
    }),

    rule('says what is handed out to an application, and what is not', async (t) => {
      const usesOf = async (scopes: readonly string[], authMode: string) => {
        const { id: applicationId } = await makeApplication(t, { scopes });
        const fields = { category: 'internal_mcp_credentials', authMode };
        const { id } = await makeIntegration(t, fields);
        await t.ok(`POST /applications/${applicationId}/integrations/${id}`);
        const edges: Edge[] = (await graph(t, '?includePolicy=true')).edges;
        const edge = edges.find((one) => one.integrationId === id);
        return edge && [edge.use, codesOf(edge)];
      };
      const scopes = ['mcp', 'credentials'];
      expect(await usesOf(scopes, 'user_token')).toEqual(['handed_out_to', []]);
      expect(await usesOf(scopes, 'none')).toEqual(['handed_out_to', ['not_proxied']]);
      expect(await usesOf(['mcp'], 'user_token')).toEqual(['handed_out_to', ['not_proxied']]);
    }),

    rule('gives what rules about people refuse the caller, and the level', async (t) => {
      const { id: applicationId } = await makeApplication(t);
      const { id: integrationId } = await makeIntegration(t);
      const { id: userId, token } = await makeMember(t, 'admin');
      const { id: other } = await makeMember(t, 'member');
      const attached = `/applications/${applicationId}/integrations/${integrationId}`;
      await t.ok(`POST ${attached}`);
      const { group } = (await t.ok('POST /groups', { body: { name: crypto.randomUUID() } })).body;
      const policyOf = async () => {
        const line = 'GET /applications/access-graph?includePolicy=true';
        const edges: Edge[] = (await t.ok(line, { as: { token } })).body.edges;
        return edges.find((edge) => edge.integrationId === integrationId)?.policy;
      };
      const set = async (integration: object, attachment: object) => {
        await t.ok(`PUT /integrations/${integrationId}/policy`, { body: integration });
        await t.ok(`PUT ${attached}/policy`, { body: attachment });
      };

      const groups = [group.id];
      const perApplication = { [applicationId]: { userIds: [other] } };
      await set({ groups, tools: { allow: ['*'] }, perApplication }, { roles: ['member'] });
      const others = 'This integration is limited to people with other roles or groups.';
      const certain = 'This integration is limited to certain people.';
      const admin = 'An admin can change this.';
      const owner = 'The owner of the application or an admin can change this.';
      expect(await policyOf()).toStrictEqual({
        allowed: false,
        reasons: [
          { code: 'role_or_group', message: `${others} ${admin}`, level: 'integration' },
          { code: 'person', message: `${certain} ${admin}`, level: 'application' },
          { code: 'role_or_group', message: `${others} ${owner}`, level: 'attachment' },
        ],
        tools: { allowed: 0, total: 0 },
      });

      await t.ok(`PUT /groups/${group.id}/members/${userId}`);
      await set({ groups, tools: { allow: [] } }, { userIds: [other, userId] });
      expect(await policyOf()).toStrictEqual({
        allowed: true,
        reasons: [],
        tools: { allowed: 0, total: 0 },
      });

      await t.ok(`DELETE /applications/${applicationId}`);
      await t.ok(`DELETE /groups/${group.id}/members/${userId}`);
      const { reasons } = (await policyOf()) ?? {};
      expect(reasons?.map(({ code }) => code)).toEqual(['application_archived', 'role_or_group']);
    }),

    rule('counts the tools that rules allow', async (t) => {
      const { id: applicationId } = await makeApplication(t);
      const { id: integrationId } = await makeIntegration(t);
      await t.ok(`POST /applications/${applicationId}/integrations/${integrationId}`);
      for (const [index, name] of ['issue_read', 'issue_delete', 'page_read'].entries()) {
        const fingerprint = String(index).repeat(64);
        const readOnly = name.endsWith('_read');
        await t.service.addTool({ integrationId, name, fingerprint, readOnly });
      }
      const query = `?includePolicy=true&applicationId=${applicationId}&integrationId=${integrationId}`;
      const counted = async (tools: object) => {
        await t.ok(`PUT /integrations/${integrationId}/policy`, { body: { tools } });
        return (await graph(t, query)).edges[0]?.policy?.tools;
      };
      expect(await counted({})).toEqual({ allowed: 3, total: 3 });
      expect(await counted({ allow: ['issue_*'] })).toEqual({ allowed: 2, total: 3 });
      expect(await counted({ allow: ['issue_*'], readOnly: true })).toEqual({
        allowed: 1,
        total: 3,
      });
      expect(await counted({ pinned: 'definition' })).toEqual({ allowed: 0, total: 3 });
    }),

    rule('is for another member, or for a role and a group', async (t) => {
      const { id: applicationId } = await makeApplication(t);
      const { id: integrationId } = await makeIntegration(t);
      const { id: userId } = await makeMember(t, 'member');
      await t.ok(`POST /applications/${applicationId}/integrations/${integrationId}`);
      const { group } = (await t.ok('POST /groups', { body: { name: crypto.randomUUID() } })).body;
      const allowed = async (...queries: string[]) => {
        const found: (boolean | undefined)[] = [];
        for (const query of queries) {
          const edges: Edge[] = (await graph(t, `?includePolicy=true&${query}`)).edges;
          const edge = edges.find((one) => one.integrationId === integrationId);
          found.push(edge?.policy?.allowed);
        }
        return found;
      };
      const set = (body: object) => t.ok(`PUT /integrations/${integrationId}/policy`, { body });
      const user = `forUserId=${userId.toUpperCase()}`;
      const inGroup = `forGroup=${group.id}`;
      const queries = ['', user, inGroup, 'forRole=admin', `forRole=admin&${inGroup}`];

      await set({ userIds: [userId] });
      expect(await allowed(...queries)).toEqual([false, true, false, false, false]);
      await set({ roles: ['member'] });
      expect(await allowed(...queries)).toEqual([false, true, true, false, false]);
      await set({ roles: ['admin'] });
      expect(await allowed(...queries)).toEqual([false, false, false, true, true]);
      await set({ groups: [group.id] });
      expect(await allowed(...queries)).toEqual([false, false, true, false, true]);
      await t.ok(`PUT /groups/${group.id}/members/${userId}`);
      expect(await allowed(...queries)).toEqual([false, true, true, false, true]);
    }),

    rule('is for nobody who is not there', async (t) => {
      const { id: userId } = await makeMember(t, 'member');
      await t.ok(`DELETE /members/${userId}`);
      for (const [query, parameter] of [
        [`forUserId=${userId}`, 'forUserId'],
        [`forGroup=${NOWHERE}`, 'forGroup'],
        [`forGroup=${NOWHERE}&forRole=admin`, 'forGroup'],
        ['forRole=guest', 'forRole'],
        [`forUserId=${NOWHERE}&forRole=admin`, 'forUserId'],
      ] as const) {
        const refused = await t.problem(`GET /applications/access-graph?${query}`);
        expect(refused).toEqual({ status: 400, code: 'validation_failed', at: [parameter] });
      }
    }),

    rule('is limited to an application, an integration, or both', async (t) => {
      const one = await makeApplication(t);
      const other = await makeApplication(t);
      const shared = await makeIntegration(t);
      const own = await makeIntegration(t);
      await t.ok(`POST /applications/${one.id}/integrations/${shared.id}`);
      await t.ok(`POST /applications/${one.id}/integrations/${own.id}`);
      await t.ok(`POST /applications/${other.id}/integrations/${shared.id}`);
      const found = async (query: string) => {
        const { applications, integrations, edges } = await graph(t, `?${query}`);
        return [applications, integrations].map((nodes) => nodes.map(idOf)).concat([edges.length]);
      };
      const application = `applicationId=${one.id}`;
      expect(await found(application)).toEqual([[one.id], [own.id, shared.id], 2]);
      expect(await found(`integrationId=${shared.id.toUpperCase()}`)).toEqual([
        [other.id, one.id],
        [shared.id],
        2,
      ]);
      expect(await found(`${application}&integrationId=${own.id}`)).toEqual([
        [one.id],
        [own.id],
        1,
      ]);
      const free = await makeIntegration(t);
      expect(await found(`integrationId=${free.id}`)).toEqual([[], [free.id], 0]);
      expect(await found(`${application}&integrationId=${free.id}`)).toEqual([[], [], 0]);
      for (const filter of ['applicationId', 'integrationId']) {
        expect(await found(`${filter}=${NOWHERE}`)).toEqual([[], [], 0]);
        expect((await t.problem(`GET /applications/access-graph?${filter}=x`)).at).toEqual([
          filter,
        ]);
      }
    }),

    rule('has pages of applications with all their edges', async (t) => {
      const { id: integrationId } = await makeIntegration(t);
      const made: string[] = [];
      for (let n = 0; n < 3; n += 1) {
        const { id } = await makeApplication(t);
        made.unshift(id);
        await t.ok(`POST /applications/${id}/integrations/${integrationId}`);
      }
      await t.ok(`DELETE /applications/${made[0]}`);
      const only = `integrationId=${integrationId}`;
      const first = await graph(t, `?${only}&limit=2`);
      expect(first.applications.map(idOf)).toEqual(made.slice(0, 2));
      expect(first.edges.map(({ applicationId }: Edge) => applicationId)).toEqual(made.slice(0, 2));
      expect(first).toMatchObject({ truncated: true, nextCursor: expect.any(String) });
      const cursor = encodeURIComponent(first.nextCursor);
      const last = await graph(t, `?${only}&limit=2&cursor=${cursor}`);
      expect(last.applications.map(idOf)).toEqual(made.slice(2));
      expect(last.edges).toHaveLength(1);
      expect(last.integrations.map(idOf)).toEqual([integrationId]);
      expect(last).toMatchObject({ truncated: false, nextCursor: null });

      const all = await graph(t, '?limit=1');
      const rest = `/applications/access-graph?limit=1&cursor=${encodeURIComponent(all.nextCursor)}`;
      expect((await t.ok(`GET ${rest}`)).body.applications.map(idOf)).toEqual([made[1]]);
      const elsewhere = await t.problem(`GET /applications/access-graph?${only}&cursor=x`);
      expect([elsewhere.status, elsewhere.code]).toEqual([400, 'invalid_cursor']);
      const refused = await t.problem(`GET ${rest}&${only}`);
      expect([refused.status, refused.code]).toEqual([400, 'invalid_cursor']);
    }),

    rule('shows integrations that are attached to nothing on the first page alone', async (t) => {
      const { id } = await makeIntegration(t);
      await makeApplication(t);
      await makeApplication(t);
      const { integrations, nextCursor } = await graph(t, '?limit=1');
      expect(integrations.map(idOf)).toContain(id);
      const next = await graph(t, `?limit=1&cursor=${encodeURIComponent(nextCursor)}`);
      expect(next.integrations.map(idOf)).not.toContain(id);
    }),

    rule('leaves out what is archived and attached to nothing', async (t) => {
      const integration = await makeIntegration(t);
      const application = await makeApplication(t);
      await t.ok(`DELETE /integrations/${integration.id}`);
      await t.ok(`DELETE /applications/${application.id}`);
      const text = JSON.stringify(await graph(t));
      expect(text).not.toContain(integration.id);
      expect(text).not.toContain(application.id);
    }),

    rule('says what changes would do, and changes nothing', async (t) => {
      const { id: applicationId } = await makeApplication(t);
      const { id: integrationId } = await makeIntegration(t);
      const { id: userId } = await makeMember(t, 'member');
      const pair = { applicationId, integrationId };
      const ask = async (...changes: object[]) =>
        (await t.ok('POST /applications/access-graph/what-if', { body: { changes } })).body;
      const policy = { userIds: [userId] };
      const attached = await ask(
        { kind: 'attach', ...pair },
        { kind: 'integration_policy', integrationId, policy },
      );
      const nothing = { gained: [], lost: [], total: { gained: 0, lost: 0 } };
      expect(attached).toStrictEqual({
        edges: { gained: [pair], lost: [], total: { gained: 1, lost: 0 } },
        tools: { ...nothing, truncated: false, changed: [] },
        people: { gained: [{ ...pair, userId }], lost: [], total: { gained: 1, lost: 0 } },
      });
      expect((await graph(t, `?applicationId=${applicationId}`)).edges).toEqual([]);

      await t.ok(`POST /applications/${applicationId}/integrations/${integrationId}`);
      await t.ok(`PUT /integrations/${integrationId}/policy`, { body: policy });
      const { group } = (await t.ok('POST /groups', { body: { name: crypto.randomUUID() } })).body;
      const lost = [{ ...pair, userId }];
      // Other cases may have left what every member can use.
      const lostIn = ({ people }: { people: { lost: { integrationId: string }[] } }) =>
        people.lost.filter((one) => one.integrationId === integrationId);
      for (const change of [
        { kind: 'detach', ...pair },
        { kind: 'archive', applicationId },
        { kind: 'archive', integrationId },
        { kind: 'integration_policy', integrationId, policy: { groups: [group.id] } },
        { kind: 'attachment_policy', ...pair, policy: { userIds: [] } },
        { kind: 'member', userId, removed: true },
      ]) {
        expect(lostIn(await ask(change))).toEqual(lost);
      }
      const groups = { kind: 'integration_policy', integrationId, policy: { groups: [group.id] } };
      const joined = { kind: 'member', userId, groupIds: [group.id] };
      expect(lostIn(await ask(groups, joined))).toEqual([]);
      const roles = { kind: 'integration_policy', integrationId, policy: { roles: ['member'] } };
      const promoted = { kind: 'member', userId, role: 'admin' };
      expect(lostIn(await ask(roles, promoted))).toEqual(lost);
      const back = [
        { kind: 'archive', applicationId },
        { kind: 'restore', applicationId },
      ];
      expect((await ask(...back)).people).toEqual(nothing);
    }),

    rule('refuses changes that their own operations refuse, with their place', async (t) => {
      const { id: applicationId } = await makeApplication(t);
      const { id: integrationId } = await makeIntegration(t);
      const pair = { applicationId, integrationId };
      for (const [change, place] of [
        [{ kind: 'attach', applicationId, integrationId: NOWHERE }, ''],
        [{ kind: 'attachment_policy', ...pair, policy: {} }, ''],
        [{ kind: 'member', userId: NOWHERE, role: 'admin' }, ''],
        [
          { kind: 'integration_policy', integrationId, policy: { groups: [NOWHERE] } },
          '/policy/groups/0',
        ],
      ] as const) {
        const changes = [{ kind: 'detach', ...pair }, change];
        const options = { body: { changes } };
        const refused = await t.problem('POST /applications/access-graph/what-if', options);
        const at = [`/changes/1${place}`];
        expect(refused).toEqual({ status: 400, code: 'validation_failed', at });
      }
      const archived = { kind: 'archive', integrationId };
      const changes = [archived, { kind: 'attach', ...pair }];
      const options = { body: { changes } };
      const refused = await t.problem('POST /applications/access-graph/what-if', options);
      expect(refused.at).toEqual(['/changes/1']);
    }),

    rule(
      'asks for an organization of more than 500 members about changes of members alone',
      async (t) => {
        const as = 'stranger';
        const { id: applicationId } = await makeApplication(t, {}, as);
        await t.service.addMembers(limits.whatIfMembers);
        const { id: userId } = (await t.ok('GET /me', { as })).body.user;
        const member = { kind: 'member', userId };
        const changes = [{ kind: 'archive', applicationId }, member];
        const path = 'POST /applications/access-graph/what-if';
        const refused = await t.problem(path, { as, body: { changes } });
        expect(refused).toEqual({ status: 400, code: 'validation_failed', at: ['/changes'] });
        await t.ok(path, { as, body: { changes: [member] } });
      },
    ),

    rule('names the tools that rules would allow, and no longer allow', async (t) => {
      const { id: applicationId } = await makeApplication(t);
      const { id: integrationId } = await makeIntegration(t);
      for (const name of ['read', 'write', 'list']) {
        await t.service.addTool({ integrationId, name, fingerprint: 'a'.repeat(64) });
      }
      const pair = { applicationId, integrationId };
      const path = `/applications/${applicationId}/integrations/${integrationId}`;
      await t.ok(`POST ${path}`);
      await t.ok(`PUT ${path}/policy`, { body: { tools: { deny: ['read'] } } });
      const toolsAfter = async (...changes: object[]) =>
        (await t.ok('POST /applications/access-graph/what-if', { body: { changes } })).body.tools;
      const policy = { tools: { deny: ['write'] } };
      expect(await toolsAfter({ kind: 'attachment_policy', ...pair, policy })).toStrictEqual({
        gained: [{ ...pair, name: 'read' }],
        lost: [{ ...pair, name: 'write' }],
        total: { gained: 1, lost: 1 },
        truncated: false,
        changed: [],
      });
      expect(await toolsAfter({ kind: 'detach', ...pair })).toStrictEqual({
        gained: [],
        lost: [
          { ...pair, name: 'list' },
          { ...pair, name: 'write' },
        ],
        total: { gained: 0, lost: 2 },
        truncated: false,
        changed: [{ ...pair, allowed: { before: 2, after: 0 }, total: 3 }],
      });
    }),

    rule('takes true and false alone', async (t) => {
      const refused = await t.problem('GET /applications/access-graph?includePolicy=1');
      expect([refused.status, refused.at]).toEqual([400, ['includePolicy']]);
    }),
  ],
};
