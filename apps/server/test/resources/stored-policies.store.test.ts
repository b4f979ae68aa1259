import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Prisma } from '../../src/generated/prisma/client.ts';
import { ruleFormats } from '../../src/policy/stored-rules.ts';
import { useServer } from '../support/server.ts';
import { attach, createApplication, createIntegration } from './applications/support.ts';

/** The server is a later version: `tools.pinned` has another meaning since format 2. */
const { tools } = ruleFormats;
beforeAll(() => {
  Object.assign(ruleFormats, { tools: { allow: 1, deny: 1, readOnly: 1, pinned: 2 } });
});
afterAll(() => {
  Object.assign(ruleFormats, { tools });
});

const server = useServer();
const pinned = { tools: { pinned: 'schema' } };
let integrationId: string;
let applicationId: string;

beforeEach(async () => {
  integrationId = await createIntegration(server);
  applicationId = (await createApplication(server)).id;
  await attach(server, applicationId, integrationId);
});

const levels = {
  integration: {
    path: () => `/integrations/${integrationId}/policy`,
    find: () => server.store.db.integrationPolicy.findFirst({ where: { integrationId } }),
    update: (rules: Prisma.Sql) => Prisma.sql`UPDATE "IntegrationPolicy" SET "rules" = ${rules}
      WHERE "integrationId" = ${integrationId}::uuid`,
  },
  attachment: {
    path: () => `/applications/${applicationId}/integrations/${integrationId}/policy`,
    find: () =>
      server.store.db.attachmentPolicy.findFirst({ where: { attachment: { applicationId } } }),
    update: (rules: Prisma.Sql) => Prisma.sql`UPDATE "AttachmentPolicy" SET "rules" = ${rules}
      WHERE "attachmentId" = (SELECT "id" FROM "Attachment"
        WHERE "applicationId" = ${applicationId}::uuid)`,
  },
};

describe.each(['integration', 'attachment'] as const)('stored rules of an %s', (name) => {
  const level = levels[name];
  const put = (body: unknown) => server.call('PUT', level.path(), { body });
  const get = () => server.call('GET', level.path());

  async function store(rules: unknown) {
    await put({ roles: [] });
    const json = Prisma.sql`${JSON.stringify(rules)}::jsonb`;
    await server.store.db.$executeRaw(level.update(json));
  }

  it('have the lowest format that understands them, which no response shows', async () => {
    expect((await put(pinned)).body).toEqual({ policy: pinned });
    expect((await level.find())?.rules).toEqual({ ...pinned, format: 2 });
    expect((await get()).body).toEqual({ policy: pinned });

    await put({ tools: { readOnly: true } });
    expect((await level.find())?.rules).toEqual({ tools: { readOnly: true } });
  });

  it('are not written again by a PUT of the same rules', async () => {
    const { headers } = await put(pinned);
    expect((await put(pinned)).headers.get('etag')).toBe(headers.get('etag'));
  });

  it('gain their format by a PUT if they were written before it counted', async () => {
    await store(pinned);
    expect((await get()).body).toEqual({ policy: pinned });
    await put(pinned);
    expect((await level.find())?.rules).toEqual({ ...pinned, format: 2 });
  });

  it.each([
    { ...pinned, format: 3 },
    { weekdays: ['monday'] },
    { tools: ['read'] },
    { groups: 'all' },
    'all',
    null,
  ])('answer 409 to GET if they are %j, and a PUT replaces them', async (rules) => {
    await store(rules);
    const unreadable = await get();
    expect([unreadable.status, unreadable.body.code]).toEqual([409, 'policy_unreadable']);

    const replaced = await put({ ...pinned, roles: ['admin'] });
    expect([replaced.status, replaced.body]).toEqual([
      200,
      { policy: { ...pinned, roles: ['admin'] } },
    ]);
    expect((await get()).body).toEqual(replaced.body);
  });

  it.each([{ format: 3 }, null])('are cleared by a PUT of null if they are %j', async (rules) => {
    await store(rules);
    expect((await put(null)).status).toBe(200);
    expect((await get()).body).toEqual({ policy: {} });
    expect(await level.find()).toBeNull();
  });
});
