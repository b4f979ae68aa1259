import type { WhatIfChange } from '@gatehouse/contract';
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { useServer } from '../../support/server.ts';
import { attach, createApplication, createIntegration } from '../applications/support.ts';

/** Rows by place: changes are generated before there are ids. */
const place = fc.nat(5);
const rules = fc.record(
  {
    roles: fc.subarray(['owner', 'admin', 'member']),
    groups: fc.array(place, { maxLength: 2 }),
    userIds: fc.array(place, { maxLength: 2 }),
    tools: fc.record(
      {
        allow: fc.subarray(['read_*', 'write']),
        deny: fc.subarray(['*_b']),
        readOnly: fc.boolean(),
      },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
);
const sketch = fc.record({
  kind: fc.constantFrom(
    ...(['attach', 'attach', 'detach', 'attachment_policy', 'integration_policy'] as const),
    ...(['archive', 'restore', 'restore', 'member', 'member'] as const),
  ),
  application: place,
  integration: place,
  user: place,
  ofApplication: fc.boolean(),
  rules,
  own: fc.option(rules, { nil: undefined }),
  role: fc.option(fc.constantFrom('owner', 'admin', 'member'), { nil: undefined }),
  groups: fc.option(fc.array(place, { maxLength: 2 }), { nil: undefined }),
  removed: fc.boolean(),
});
type Sketch = typeof sketch extends fc.Arbitrary<infer S> ? S : never;
type Rules = Sketch['rules'];

const server = useServer();
const ids = { applications: [] as string[], integrations: [] as string[], groups: [] as string[] };
let everyone: string[] = [];
/** All but the one who asks, as that one makes the changes. */
let people: string[] = [];

beforeAll(async () => {
  for (let n = 0; n < 2; n += 1) ids.applications.push((await createApplication(server)).id);
  for (const fields of [{}, {}, { category: 'internal_mcp_credentials' }]) {
    const id = await createIntegration(server, fields);
    ids.integrations.push(id);
    await server.store.db.$executeRaw`
      INSERT INTO "ToolDefinition" ("integrationId", "organizationId", "name", "fingerprint",
        "schemaFingerprint", "readOnly")
      SELECT "id", "organizationId", t, 'f', 's', t = 'read_a' FROM "Integration",
        unnest('{read_a,read_b,write}'::text[]) t WHERE "id" = ${id}::uuid`;
    for (const application of ids.applications) await attach(server, application, id);
  }
  for (const name of ['One', 'Two']) {
    const { body } = await server.call('POST', '/groups', { body: { name } });
    ids.groups.push(body.group.id);
  }
});

it('answers what making the changes does to the graphs of all people', async () => {
  let answered = 0;
  let found = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(sketch, { minLength: 1, maxLength: 4 }), async (sketches) => {
      await replaceMembers();
      const changes = sketches.map(changeOf);
      const before = await graphs();
      const asked = await server.call('POST', '/applications/access-graph/what-if', {
        body: { changes },
      });
      expect(await graphs()).toEqual(before);
      const refused = await make(changes);
      if (refused !== undefined) {
        const { errors } = asked.body;
        expect(errors?.[0]?.pointer, JSON.stringify(asked.body)).toMatch(
          new RegExp(`^/changes/${refused}(?:/|$)`),
        );
        return;
      }
      expect(asked.status, JSON.stringify(asked.body)).toBe(200);
      const after = await graphs();
      const gained = [...after.uses].filter((use) => !before.uses.has(use));
      const lost = [...before.uses].filter((use) => !after.uses.has(use));
      const { edges, tools, people: named } = asked.body;
      expect(named.total).toEqual({ gained: gained.length, lost: lost.length });
      expect(textsOf(named.gained)).toEqual(gained.sort());
      expect(textsOf(named.lost)).toEqual(lost.sort());
      expect(textsOf(edges.gained)).toEqual(edgesOf(gained));
      expect(textsOf(edges.lost)).toEqual(edgesOf(lost));
      expect(new Map(tools.changed.map(toolsOf))).toEqual(changedTools(before.tools, after.tools));
      answered += 1;
      found += gained.length + lost.length;
    }),
    { numRuns: 40, endOnFailure: true },
  );
  expect(answered).toBeGreaterThan(5);
  expect(found).toBeGreaterThan(0);
}, 60_000);

const at = (list: readonly string[], n: number): string => list[n % list.length] ?? '';

function rulesOf({ groups, userIds, ...rest }: Rules) {
  return {
    ...rest,
    ...(groups && { groups: groups.map((n) => at(ids.groups, n)) }),
    ...(userIds && { userIds: userIds.map((n) => at(people, n)) }),
  };
}

function changeOf(drawn: Sketch): WhatIfChange {
  const { kind, own, removed, role } = drawn;
  const applicationId = at(ids.applications, drawn.application);
  const integrationId = at(ids.integrations, drawn.integration);
  const policy = rulesOf(drawn.rules) as object;
  const perApplication = own && { perApplication: { [applicationId]: rulesOf(own) as object } };
  switch (kind) {
    case 'attach':
    case 'detach':
      return { kind, applicationId, integrationId };
    case 'attachment_policy':
      return { kind, applicationId, integrationId, policy };
    case 'integration_policy':
      return { kind, integrationId, policy: { ...policy, ...perApplication } };
    case 'archive':
    case 'restore':
      return drawn.ofApplication ? { kind, applicationId } : { kind, integrationId };
    case 'member': {
      const userId = at(people, drawn.user);
      if (removed) return { kind, userId, removed };
      const groupIds = drawn.groups?.map((n) => at(ids.groups, n));
      return { kind, userId, ...(role && { role }), ...(groupIds && { groupIds }) };
    }
  }
}

/** Returns the index of the first change that is refused. */
async function make(changes: readonly WhatIfChange[]): Promise<number | undefined> {
  for (const [index, change] of changes.entries()) {
    for (const [method, path, body] of await requestsOf(change)) {
      const { status } = await server.call(method, path, body === undefined ? {} : { body });
      if (status >= 400) return index;
    }
  }
  return undefined;
}

type Request = readonly [string, string, unknown?];

async function requestsOf(change: WhatIfChange): Promise<readonly Request[]> {
  if (change.kind === 'member') return memberRequests(change);
  if (change.kind === 'archive' || change.kind === 'restore') {
    const { applicationId, integrationId } = change;
    const path = applicationId
      ? `/applications/${applicationId}`
      : `/integrations/${integrationId}`;
    return [change.kind === 'archive' ? ['DELETE', path] : ['POST', `${path}/restore`]];
  }
  if (change.kind === 'integration_policy') {
    return [['PUT', `/integrations/${change.integrationId}/policy`, change.policy]];
  }
  const path = `/applications/${change.applicationId}/integrations/${change.integrationId}`;
  if (change.kind === 'attachment_policy') return [['PUT', `${path}/policy`, change.policy]];
  return [[change.kind === 'attach' ? 'POST' : 'DELETE', path]];
}

async function memberRequests({
  userId,
  role,
  groupIds,
  removed,
}: Extract<WhatIfChange, { kind: 'member' }>): Promise<readonly Request[]> {
  const path = `/members/${userId}`;
  if (removed) return [['DELETE', path]];
  const groups = ids.groups.map((id) => {
    const method = groupIds?.includes(id) ? 'PUT' : 'DELETE';
    return [method, `/groups/${id}/members/${userId}`] as const;
  });
  return [['PATCH', path, role ? { role } : {}], ...(groupIds ? groups : [])];
}

/** What everyone can use, and how many tools rules allow, by edge. */
async function graphs() {
  const uses = new Set<string>();
  const tools = new Map<string, number>();
  for (const userId of everyone) {
    const query = `includePolicy=true&forUserId=${userId}`;
    const { status, body } = await server.call('GET', `/applications/access-graph?${query}`);
    for (const { applicationId, integrationId, policy } of status === 200 ? body.edges : []) {
      const edge = `${applicationId} ${integrationId}`;
      if (policy.allowed) uses.add(`${edge} ${userId}`);
      tools.set(edge, policy.tools?.allowed ?? 0);
    }
  }
  return { uses, tools };
}

interface Named {
  readonly applicationId: string;
  readonly integrationId: string;
  readonly userId?: string;
}

const textsOf = (list: readonly Named[]) =>
  list
    .map(({ applicationId, integrationId, userId }) =>
      [applicationId, integrationId, ...(userId ? [userId] : [])].join(' '),
    )
    .sort();

const edgesOf = (uses: readonly string[]) =>
  [...new Set(uses.map((use) => use.split(' ').slice(0, 2).join(' ')))].sort();

const toolsOf = ({
  allowed,
  ...pair
}: Named & { readonly allowed: { readonly before: number; readonly after: number } }) =>
  [textsOf([pair])[0], [allowed.before, allowed.after]] as const;

function changedTools(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>) {
  const changed = new Map<string, number[]>();
  for (const edge of new Set([...before.keys(), ...after.keys()])) {
    const counts = [before.get(edge) ?? 0, after.get(edge) ?? 0];
    if (counts[0] !== counts[1]) changed.set(edge, counts);
  }
  return changed;
}

/** Always the owner who asks and four others. */
async function replaceMembers(): Promise<void> {
  const me = await server.call('GET', '/me');
  const found = await server.store.db.user.findMany({ select: { id: true } });
  for (let n = found.length; n < 5; n += 1) {
    const role = n % 2 === 0 ? 'admin' : 'member';
    found.push({ id: (await server.addMember(role)).id });
  }
  const caller: string = me.body.user.id;
  everyone = found.map(({ id }) => id);
  people = everyone.filter((id) => id !== caller);
}
