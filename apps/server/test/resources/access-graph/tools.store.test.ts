import { beforeAll, describe, expect, it } from 'vitest';
import { ToolCounter } from '../../../src/resources/access-graph/tools/tool-counter.ts';
import { useServer } from '../../support/server.ts';
import { attach, createApplication, createIntegration } from '../applications/support.ts';

interface Definition {
  readonly name: string;
  readonly fingerprint: string;
  readonly schemaFingerprint?: string;
  readonly readOnly?: boolean;
  readonly approved?: boolean;
  /** Minutes ago. */
  readonly seen?: number;
}

/** `read` is new, `write` changed, of `list` only the text, and `old` went back to what was approved. */
const DEFINITIONS: readonly Definition[] = [
  { name: 'read', fingerprint: 'r1', readOnly: true },
  { name: 'write', fingerprint: 'w1', approved: true, readOnly: true, seen: 9 },
  { name: 'write', fingerprint: 'w2' },
  { name: 'list', fingerprint: 'l1', schemaFingerprint: 'same', approved: true, seen: 9 },
  { name: 'list', fingerprint: 'l2', schemaFingerprint: 'same', readOnly: true },
  { name: 'old', fingerprint: 'o2', readOnly: true, seen: 9 },
  { name: 'old', fingerprint: 'o1', approved: true },
];

const server = useServer();
let applicationId: string;
let integrationId: string;

beforeAll(async () => {
  applicationId = (await createApplication(server)).id;
  integrationId = await createIntegration(server);
  await attach(server, applicationId, integrationId);
  for (const definition of DEFINITIONS) await addDefinition(integrationId, definition);
});

describe('the tools of an edge', () => {
  it.each<[string, object, number]>([
    ['no rules', {}, 4],
    ['rules about people alone', { roles: ['member'] }, 4],
    ['rules about prompts alone', { prompts: { allow: [] } }, 4],
    ['an empty deny', { tools: { deny: [] } }, 4],
    ['deny', { tools: { deny: ['*d*'] } }, 2],
    ['allow', { tools: { allow: ['read', 'unseen'] } }, 1],
    ['readOnly', { tools: { readOnly: true } }, 2],
    ['pinned definitions', { tools: { pinned: 'definition' } }, 1],
    ['pinned schemas', { tools: { pinned: 'schema' } }, 2],
    ['several', { tools: { pinned: 'schema', deny: ['old'] } }, 1],
  ])('are counted under %s', async (_, rules, allowed) => {
    await setRules(rules, {});
    expect(await toolsOfEdge()).toEqual({ allowed, total: 4 });
    await setRules({}, rules);
    expect(await toolsOfEdge()).toEqual({ allowed, total: 4 });
    await setRules({ perApplication: { [applicationId]: rules } }, {});
    expect(await toolsOfEdge()).toEqual({ allowed, total: 4 });
  });

  it('are those that all levels allow', async () => {
    await setRules(
      {
        tools: { deny: ['read'] },
        perApplication: { [applicationId]: { tools: { deny: ['old'] } } },
      },
      { tools: { deny: ['write'] } },
    );
    expect(await toolsOfEdge()).toEqual({ allowed: 1, total: 4 });
  });

  it('are refused by rules that cannot be read', async () => {
    await setRules({ roles: ['owner'] }, {});
    await server.store.db.$executeRaw`
      UPDATE "IntegrationPolicy" SET "rules" = '{"later": true}'::jsonb`;
    expect(await toolsOfEdge()).toEqual({ allowed: 0, total: 4 });
    await setRules({}, {});
  });

  it('are not counted where the credential alone is used', async () => {
    const credentialOnly = await createIntegration(server, {
      category: 'internal_mcp_credentials',
    });
    await attach(server, applicationId, credentialOnly);
    await addDefinition(credentialOnly, { name: 'read', fingerprint: 'r1' });
    expect(await toolsOfEdge(credentialOnly)).toBe(undefined);
  });

  it('are counted for many integrations in parts', async () => {
    const made: string[] = [];
    for (let n = 0; n < 3; n += 1) {
      const id = await createIntegration(server);
      made.push(id);
      await attach(server, applicationId, id);
      await server.store.db.$executeRaw`
        INSERT INTO "ToolDefinition" ("integrationId", "organizationId", "name", "fingerprint",
          "schemaFingerprint", "readOnly")
        SELECT "id", "organizationId", 'tool_' || n, 'f', 's', n % 2 = 0
        FROM "Integration", generate_series(1, 800) n WHERE "id" = ${id}::uuid`;
      const path = `/applications/${applicationId}/integrations/${id}/policy`;
      await server.call('PUT', path, { body: { tools: { readOnly: true } } });
    }
    for (const id of made) expect(await toolsOfEdge(id)).toEqual({ allowed: 400, total: 800 });
  });
});

it('stops counting where it takes too long, and counts equal rules once', async () => {
  const facts = { readOnly: true, pins: { definition: 'new', schema: 'new' } } as const;
  const tools = Array.from({ length: 5000 }, (_, n) => ({ name: `tool_${n}`, facts }));
  const counter = new ToolCounter(new Map([['one', tools]]));
  const rules = { tools: { deny: Array.from({ length: 500 }, (_, n) => `*_${n}`) } };
  const levels = [{ level: 'integration', rules }] as const;
  for (let n = 0; n < 20; n += 1) {
    const counts = await counter.count('one', { key: 'same', levels });
    expect(counts).toMatchObject({ allowed: 4500, total: 5000 });
  }
  const others: unknown[] = [];
  for (let n = 0; n < 8; n += 1) others.push(await counter.count('one', { key: `${n}`, levels }));
  expect(others.at(0)).toBeDefined();
  expect(others.at(-1)).toBe(undefined);
  expect(await counter.count('absent', { key: '', levels: [] })).toBe(undefined);
});

async function setRules(integration: object, attachment: object): Promise<void> {
  const path = `/applications/${applicationId}/integrations/${integrationId}/policy`;
  for (const [at, body] of [
    [`/integrations/${integrationId}/policy`, integration],
    [path, attachment],
  ] as const) {
    expect((await server.call('PUT', at, { body })).status).toBe(200);
  }
}

async function toolsOfEdge(id = integrationId): Promise<unknown> {
  const query = `applicationId=${applicationId}&integrationId=${id}&includePolicy=true`;
  const { body } = await server.call('GET', `/applications/access-graph?${query}`);
  expect(body.edges).toHaveLength(1);
  return body.edges[0].policy.tools;
}

async function addDefinition(id: string, definition: Definition): Promise<void> {
  const { name, fingerprint, readOnly = false, approved = false, seen = 0 } = definition;
  const { schemaFingerprint = fingerprint } = definition;
  const { organizationId } = await server.store.db.integration.findUniqueOrThrow({ where: { id } });
  await server.store.db.toolDefinition.create({
    data: {
      integrationId: id,
      organizationId,
      name,
      fingerprint,
      schemaFingerprint,
      readOnly,
      lastSeenAt: new Date(Date.now() - seen * 60_000),
      approvedAt: approved ? new Date() : null,
    },
  });
}
