import { decideName, decidePeople, type PolicyLevel } from '@gatehouse/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { levelsOf, type PolicyRow, policyColumns, policyJoins } from '../../src/policy/rules.ts';
import { at, createWorld, type World } from '../sessions/fixture.ts';
import { useStore } from '../support/store.ts';

const store = useStore();
let world: World;

beforeAll(async () => {
  world = await createWorld(store);
});

/** The rules of the first application's attachment of the first integration. */
async function readLevels(): Promise<readonly PolicyLevel[] | undefined> {
  const { attachmentId } = at(world.routes, 0);
  const rows = await store.db.$queryRaw<PolicyRow[]>`
    SELECT ${policyColumns} FROM "Attachment" a ${policyJoins}
    WHERE a."id" = ${attachmentId}::uuid`;
  return levelsOf(at(rows, 0));
}

async function write(rules: { integration?: unknown; attachment?: unknown }): Promise<void> {
  const { organizationId, attachmentId, integrationId } = at(world.routes, 0);
  await store.db.integrationPolicy.deleteMany();
  await store.db.attachmentPolicy.deleteMany();
  if (rules.integration !== undefined) {
    await store.db.$executeRaw`
      INSERT INTO "IntegrationPolicy" ("integrationId", "organizationId", "rules")
      VALUES (${integrationId}::uuid, ${organizationId}::uuid,
        ${JSON.stringify(rules.integration)}::jsonb)`;
  }
  if (rules.attachment !== undefined) {
    await store.db.$executeRaw`
      INSERT INTO "AttachmentPolicy" ("attachmentId", "organizationId", "rules")
      VALUES (${attachmentId}::uuid, ${organizationId}::uuid,
        ${JSON.stringify(rules.attachment)}::jsonb)`;
  }
}

describe('stored rules', () => {
  it('are undefined where nothing is restricted', async () => {
    const other = at(world.applicationIds, 1);
    const without: Parameters<typeof write>[0][] = [
      {},
      { integration: {}, attachment: {} },
      { integration: { perApplication: {} }, attachment: { tools: { deny: [] } } },
      { integration: { perApplication: { [other]: { userIds: [] } } } },
    ];
    for (const rules of without) {
      await write(rules);
      expect(await readLevels()).toBeUndefined();
    }
  });

  it('are those of the integration, for the application, and of the attachment', async () => {
    const [application, other] = [at(world.applicationIds, 0), at(world.applicationIds, 1)];
    await write({
      integration: {
        roles: ['admin'],
        perApplication: { [application]: { groups: [] }, [other]: { userIds: [] } },
      },
      attachment: { tools: { allow: ['read_*'] } },
    });
    expect(await readLevels()).toEqual([
      { level: 'integration', rules: { roles: ['admin'] } },
      { level: 'application', rules: { groups: [] } },
      { level: 'attachment', rules: { tools: { allow: ['read_*'] } } },
    ]);
  });

  it.each([
    ['integration', { integration: null }],
    ['integration', { integration: 'all' }],
    ['integration', { integration: [] }],
    ['integration', { integration: { tools: ['read'] } }],
    ['integration', { integration: { weekdays: ['monday'] } }],
    ['integration', { integration: { format: 2, roles: ['owner'] } }],
    ['attachment', { attachment: { format: 2 } }],
    ['integration', { integration: { perApplication: null } }],
    ['integration', { integration: { perApplication: [] } }],
    ['attachment', { attachment: null }],
    ['attachment', { attachment: 1 }],
    ['attachment', { attachment: { perApplication: {} } }],
    ['attachment', { attachment: { tools: { readOnly: 'yes' } } }],
  ])('refuse everything by the %s if they are %j', async (level, rules) => {
    await write(rules);
    const levels = (await readLevels()) ?? [];
    const application = { kind: 'application' } as const;
    expect(decidePeople(levels, application)).toEqual([{ code: 'client_credentials', level }]);
    for (const kind of ['tools', 'prompts', 'resources'] as const) {
      expect(decideName(levels, kind, 'read')).toMatchObject([{ level }]);
    }
  });

  it('refuse everything by the application if they are no object', async () => {
    await write({ integration: { perApplication: { [at(world.applicationIds, 0)]: null } } });
    expect(await readLevels()).toMatchObject([{ level: 'application', rules: { roles: [] } }]);
  });
});
