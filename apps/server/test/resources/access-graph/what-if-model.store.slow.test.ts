import type { WhatIfChange } from '@gatehouse/contract';
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { useServer } from '../../support/server.ts';
import { attach, createApplication, createIntegration } from '../applications/support.ts';
import { changeOf, EXAMPLES, requestsOf, sketch } from './what-if-changes.ts';

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
    // One tool is approved, of one only the text has changed since, and one is new.
    await server.store.db.$executeRaw`
      INSERT INTO "ToolDefinition" ("integrationId", "organizationId", "name", "fingerprint",
        "schemaFingerprint", "readOnly", "approvedAt", "lastSeenAt")
      SELECT "id", "organizationId", t, f, 's', t = 'read_a', a, now() + (f || ' min')::interval
      FROM "Integration", (VALUES ('read_a', '1', now()), ('read_b', '1', now()),
        ('read_b', '2', NULL), ('write', '1', NULL)) v (t, f, a) WHERE "id" = ${id}::uuid`;
    for (const application of ids.applications) await attach(server, application, id);
  }
  for (const name of ['One', 'Two']) {
    const { body } = await server.call('POST', '/groups', { body: { name } });
    ids.groups.push(body.group.id);
  }
});

it('answers what making the changes does to the graphs of all people', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(sketch, { minLength: 1, maxLength: 4 }), async (sketches) => {
      await replaceMembers();
      await restoreAll();
      const changes = sketches.map((drawn) => changeOf(drawn, { ...ids, people }));
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
      if (gained.length + lost.length + tools.changed.length > 0) noteMattering(changes);
    }),
    { numRuns: 15, endOnFailure: true, examples: EXAMPLES.map((sketches) => [sketches]) },
  );
  expect([...mattering].sort()).toEqual(
    expect.arrayContaining(['groupIds', 'perApplication', 'removed']),
  );
});

/** What stood in sequences that made a difference. */
const mattering = new Set<string>();

function noteMattering(changes: readonly WhatIfChange[]): void {
  for (const change of changes) {
    for (const field of Object.keys(change)) mattering.add(field);
    if (change.kind !== 'integration_policy') continue;
    if (Object.keys(change.policy?.perApplication ?? {}).length > 0)
      mattering.add('perApplication');
  }
}

/** Returns the index of the first change that is refused. */
async function make(changes: readonly WhatIfChange[]): Promise<number | undefined> {
  for (const [index, change] of changes.entries()) {
    for (const [method, path, body] of requestsOf(change, ids.groups)) {
      const { status } = await server.call(method, path, body === undefined ? {} : { body });
      if (status >= 400) return index;
    }
  }
  return undefined;
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

/** What an earlier sequence has archived is there again, so that fewer changes are refused. */
async function restoreAll(): Promise<void> {
  for (const id of ids.applications) await server.call('POST', `/applications/${id}/restore`);
  for (const id of ids.integrations) await server.call('POST', `/integrations/${id}/restore`);
}
