import type { AuditEvent } from '@gatehouse/contract';
import { expect } from 'vitest';
import type { Api } from '../api.ts';
import { rule } from '../case.ts';
import { makeApplication, makeIntegration, makeMember, NOWHERE, onceKey } from '../make.ts';
import type { As, CallOptions } from '../targets/target.ts';

type Filter = Readonly<Record<string, string>>;

const pathOf = (filter: Filter) => `GET /audit-events?${new URLSearchParams(filter)}`;

async function read(t: Api, filter: Filter, as: As = 'owner'): Promise<AuditEvent[]> {
  return (await t.ok(pathOf(filter), { as })).body.items;
}

async function makeAdmin(t: Api) {
  const { id, token } = await makeMember(t, 'admin');
  return { id, as: { token } };
}

const actionsOf = (events: readonly AuditEvent[]) => events.map(({ action }) => action);
const parsed = (line: string) => JSON.parse(line);
const requestIn = (id: string): Pick<CallOptions, 'headers'> => ({
  headers: { 'x-request-id': id },
});

export const auditEventCases = {
  title: 'The audit',
  cases: [
    rule('is for admins and owners, and needs a token', async (t) => {
      const { id } = (await read(t, { limit: '1' }))[0] ?? { id: '' };
      for (const [as, status] of [
        [null, 401],
        ['member', 403],
        ['admin', 200],
        ['owner', 200],
      ] as const) {
        expect((await t.call('GET /audit-events', { as })).status).toBe(status);
        expect((await t.call(`GET /audit-events/${id}`, { as })).status).toBe(status);
      }
    }),

    rule('tells who changed what, from where, by which request', async (t) => {
      const { id: actorId, as } = await makeAdmin(t);
      const requestId = crypto.randomUUID();
      const { id } = await makeIntegration(t, { name: 'Before' });
      const options = { as, body: { name: 'After' }, ...requestIn(requestId) };
      await t.ok(`PATCH /integrations/${id}`, options);
      const [event] = await read(t, { requestId });
      expect(event).toEqual({
        id: expect.any(String),
        kind: 'management',
        at: expect.any(String),
        action: 'integration.updated',
        actor: {
          kind: 'person',
          id: actorId,
          name: 'New',
          via: { kind: 'personal_token', id: expect.any(String) },
        },
        target: { kind: 'integration', id, name: 'After' },
        outcome: 'succeeded',
        requestId,
        address: expect.stringMatching(/^[0-9a-f.:]+$/),
        details: { changes: [{ field: 'name', from: 'Before', to: 'After' }] },
      });
      expect(Date.parse(event?.at ?? '')).toBeGreaterThan(Date.now() - 60_000);
      const single = (await t.ok(`GET /audit-events/${event?.id}`)).body;
      expect(single).toEqual({ event });
    }),

    rule('lists the newest first, in pages', async (t) => {
      const { id: actorId, as } = await makeAdmin(t);
      const { id } = await makeApplication(t, {}, as);
      for (const name of ['A', 'B', 'C']) {
        await t.ok(`PATCH /applications/${id}`, { as, body: { name } });
      }
      const filter = { actorId, applicationId: id };
      expect(actionsOf(await read(t, filter))).toEqual([
        'application.updated',
        'application.updated',
        'application.updated',
        'application.created',
      ]);
      const names: unknown[] = [];
      let cursor: string | null = null;
      do {
        const path = pathOf({ ...filter, limit: '2', ...(cursor && { cursor }) });
        const { items, nextCursor, reachedAt } = (await t.ok(path)).body;
        expect(items.length).toBeLessThanOrEqual(2);
        expect(reachedAt === null).toBe(nextCursor === null);
        expect(items.every(({ at }: AuditEvent) => at >= (reachedAt ?? ''))).toBe(true);
        names.push(...items.map((event: AuditEvent) => event.target.name));
        cursor = nextCursor;
      } while (cursor !== null);
      expect(names).toEqual(['C', 'B', 'A', 'Assistant']);
    }),

    rule('binds a cursor to its filters and organization', async (t) => {
      const { id: actorId, as } = await makeAdmin(t);
      for (let n = 0; n < 2; n += 1) await makeApplication(t, {}, as);
      const { nextCursor } = (await t.ok(pathOf({ actorId, limit: '1' }))).body;
      expect((await t.call(pathOf({ actorId, limit: '5', cursor: nextCursor }))).status).toBe(200);
      for (const [filter, who] of [
        [{}, 'owner'],
        [{ actorId, kind: 'management' }, 'owner'],
        [{ actorId }, 'stranger'],
      ] as const) {
        const path = pathOf({ ...filter, cursor: nextCursor });
        expect((await t.problem(path, { as: who })).code).toBe('invalid_cursor');
      }
    }),

    rule('finds events by each of its filters', async (t) => {
      const { id: actorId, as } = await makeAdmin(t);
      const other = await makeMember(t, 'member');
      const requestId = crypto.randomUUID();
      const { id: integrationId } = await makeIntegration(t, {}, as);
      const { id: applicationId } = await makeApplication(t, {}, as);
      const pair = `/applications/${applicationId}/integrations/${integrationId}`;
      await t.ok(`POST ${pair}`, { as, ...requestIn(requestId) });
      await t.ok(`PATCH /members/${other.id}`, { as, body: { name: 'Renamed' } });
      const found = async (filter: Filter) => actionsOf(await read(t, filter));
      const attached = 'application.integrations_changed';
      expect(await found({ actorId, action: attached })).toEqual([attached]);
      expect(await found({ requestId })).toEqual([attached]);
      expect(await found({ requestId, kind: 'call' })).toEqual([]);
      expect(await found({ requestId, outcome: 'failed' })).toEqual([]);
      expect(await found({ requestId, outcome: 'failed,succeeded' })).toEqual([attached]);
      expect(await found({ requestId, method: 'tools/call' })).toEqual([]);
      expect(await found({ requestId, tool: 'echo' })).toEqual([]);
      expect(await found({ actorId, integrationId })).toEqual([attached, 'integration.created']);
      expect(await found({ actorId, applicationId })).toEqual([attached, 'application.created']);
      expect(await found({ actorId, userId: other.id })).toEqual(['member.updated']);
      expect(await found({ userId: actorId, action: 'member.created' })).toEqual([
        'member.created',
      ]);
    }),

    rule('finds events from one time until before another', async (t) => {
      const { id: actorId, as } = await makeAdmin(t);
      await makeApplication(t, {}, as);
      const [event] = await read(t, { actorId, action: 'application.created' });
      const at = event?.at ?? '';
      const [before, after] = [-1, 1].map((ms) => new Date(Date.parse(at) + ms).toISOString());
      const count = async (span: Filter) =>
        (await read(t, { actorId, action: 'application.created', ...span })).length;
      expect(await count({ from: at })).toBe(1);
      expect(await count({ from: at.replace('Z', '+00:00') })).toBe(1);
      expect(await count({ from: after ?? '' })).toBe(0);
      expect(await count({ to: at })).toBe(0);
      expect(await count({ from: before ?? '', to: after ?? '' })).toBe(1);
    }),

    rule('refuses a filter that is not valid', async (t) => {
      for (const [filter, at] of [
        [{ from: 'yesterday' }, 'from'],
        [{ to: '2026-11-20' }, 'to'],
        [{ kind: 'other' }, 'kind'],
        [{ actorId: 'x' }, 'actorId'],
        [{ action: '' }, 'action'],
      ] as const) {
        expect(await t.problem(pathOf(filter))).toEqual({
          status: 400,
          code: 'validation_failed',
          at: [at],
        });
      }
    }),

    rule('has no event for a replay, a refusal, or a write that changes nothing', async (t) => {
      const { id: actorId, as } = await makeAdmin(t);
      const body = { name: 'Once', url: 'https://mcp.example.com/mcp' };
      const options = { as, body, headers: onceKey() };
      const { id } = (await t.ok('POST /integrations', options)).body.integration;
      await t.ok('POST /integrations', options);
      await t.ok(`PATCH /integrations/${id}`, { as, body: { name: 'Once' } });
      await t.ok(`PATCH /members/${actorId}`, { as, body: { name: 'New' } });
      await t.ok(`POST /integrations/${id}/restore`, { as });
      await t.ok(`PUT /integrations/${id}/policy`, { as, body: {} });
      await t.ok(`DELETE /integrations/${id}/connection`, { as });
      await t.problem(`PATCH /integrations/${id}`, { as, body: { url: 'nowhere' } });
      await t.problem(`DELETE /integrations/${NOWHERE}`, { as });
      expect(actionsOf(await read(t, { actorId }))).toEqual([
        'integration.created',
        'token.created',
      ]);
    }),

    rule('tells of what is gone by its last name', async (t) => {
      const { id: actorId, as } = await makeAdmin(t);
      const name = `Gone ${actorId}`;
      const { id } = (await t.ok('POST /groups', { as, body: { name } })).body.group;
      const member = await makeMember(t, 'member');
      await t.ok(`PUT /groups/${id}/members/${member.id}`, { as });
      await t.ok(`DELETE /groups/${id}/members/${member.id}`, { as });
      await t.ok(`DELETE /groups/${id}`, { as });
      await t.ok(`DELETE /members/${member.id}`, { as });
      const told = (await read(t, { actorId })).map(({ action, target }) => [action, target.name]);
      expect(told).toEqual([
        ['member.removed', 'New'],
        ['group.removed', name],
        ['group.member_removed', name],
        ['group.member_added', name],
        ['group.created', name],
        ['token.created', 'first'],
      ]);
    }),

    rule('tells that a secret was set, and never the secret or an email', async (t) => {
      const { id: actorId, as } = await makeAdmin(t);
      const secret = `secret-${crypto.randomUUID()}`;
      const { id } = await makeIntegration(t, {}, as);
      const body = { authMode: 'server_token', serverToken: secret };
      await t.ok(`PATCH /integrations/${id}`, { as, body });
      const { secret: clientSecret } = await makeApplication(t, {}, as);
      const email = `${crypto.randomUUID()}@example.com`;
      await t.ok('POST /members', { as, body: { email, name: 'Invited', role: 'member' } });
      const events = await read(t, { actorId });
      const update = events.find(({ action }) => action === 'integration.updated');
      expect(update?.details).toEqual({
        changes: [
          { field: 'authMode', from: 'none', to: 'server_token' },
          { field: 'serverToken', from: false, to: true },
        ],
      });
      for (const hidden of [secret, clientSecret, email, as.token]) {
        expect(JSON.stringify(events)).not.toContain(hidden);
      }
    }),

    rule('tells once in a while that a person reads it, with the filters used', async (t) => {
      const { id: actorId, as } = await makeAdmin(t);
      for (let n = 0; n < 3; n += 1) await read(t, { actorId: NOWHERE, limit: `${n + 1}` }, as);
      await read(t, { actorId: NOWHERE, outcome: 'failed' }, as);
      const readings = await read(t, { actorId, action: 'audit.read' });
      expect(readings.map(({ details }) => details.filter)).toEqual([
        ['actorId', 'outcome'],
        ['actorId'],
      ]);
    }),

    rule('is exported for admins and owners, as lines, and tells of it', async (t) => {
      const { id: actorId, as } = await makeAdmin(t);
      const { id } = await makeIntegration(t, {}, as);
      const path = 'GET /audit-events/export';
      expect((await t.problem(path, { as: 'member' })).code).toBe('forbidden');
      expect((await t.problem(`${path}?from=yesterday`)).code).toBe('validation_failed');
      const exported = await t.ok(`${path}?from=2026-01-01T01:00:00%2B01:00`, { as });
      expect(exported.headers.get('content-type')).toMatch(/^text\/x-ndjson/);
      const lines = exported.body.trimEnd().split('\n').map(parsed);
      expect(lines[0]).toMatchObject({ type: 'export', version: 1 });
      expect(lines.at(-1)).toMatchObject({ type: 'end' });
      const events = lines.flatMap(({ event }: { event?: AuditEvent }) => event ?? []);
      expect(events.find(({ target }: AuditEvent) => target.id === id)).toMatchObject({
        action: 'integration.created',
        actor: { id: actorId },
      });
      expect(actionsOf(await read(t, { actorId, action: 'audit.exported' }))).toHaveLength(1);
      const later = await t.ok(`${path}?from=2200-01-01T00:00:00Z`, { as });
      expect(later.body).not.toContain(id);
    }),

    rule('has no verification before the first one', async (t) => {
      const path = 'GET /audit-events/verification';
      expect((await t.ok(path)).body).toEqual({ verification: null });
      expect((await t.problem(path, { as: 'member' })).code).toBe('forbidden');
    }),

    rule('answers 404 for other ids, and for events of another organization', async (t) => {
      const [event] = await read(t, { limit: '1' });
      expect((await t.problem(`GET /audit-events/${NOWHERE}`)).code).toBe('not_found');
      expect((await t.problem('GET /audit-events/x')).code).toBe('validation_failed');
      const as = 'stranger';
      expect((await t.problem(`GET /audit-events/${event?.id}`, { as })).code).toBe('not_found');
      const { id: actorId, as: admin } = await makeAdmin(t);
      await makeApplication(t, {}, admin);
      expect(await read(t, { actorId }, as)).toEqual([]);
    }),
  ],
};
