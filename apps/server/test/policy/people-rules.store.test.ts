import { decidePeople, memberRoleSchema } from '@gatehouse/contract';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { type PolicyPerson, peopleColumnsFor } from '../../src/policy/people-rules.ts';
import { levelsOf, type PolicyRow, policyColumns, policyJoins } from '../../src/policy/rules.ts';
import { at, createWorld, type World } from '../sessions/fixture.ts';
import { useStore } from '../support/store.ts';

const store = useStore();
let world: World;

beforeAll(async () => {
  world = await createWorld(store);
});

const id = (n: number) => `0190a000-0000-7000-8000-00000000000${n}`;
const person: PolicyPerson = {
  kind: 'person',
  userId: id(1),
  role: 'admin',
  groupIds: [id(2), id(3)],
};

/** The rules of all levels as they are read whole, and for one person. */
async function read(columns: typeof policyColumns): Promise<PolicyRow> {
  const { attachmentId } = at(world.routes, 0);
  const rows = await store.db.$queryRaw<PolicyRow[]>`
    SELECT ${columns} FROM "Attachment" a ${policyJoins} WHERE a."id" = ${attachmentId}::uuid`;
  return at(rows, 0);
}

async function write(integration: unknown, attachment: unknown): Promise<void> {
  const { organizationId, attachmentId, integrationId } = at(world.routes, 0);
  await store.db.integrationPolicy.deleteMany();
  await store.db.attachmentPolicy.deleteMany();
  await store.db.$executeRaw`
    INSERT INTO "IntegrationPolicy" ("integrationId", "organizationId", "rules")
    VALUES (${integrationId}::uuid, ${organizationId}::uuid, ${JSON.stringify(integration)}::jsonb)`;
  await store.db.$executeRaw`
    INSERT INTO "AttachmentPolicy" ("attachmentId", "organizationId", "rules")
    VALUES (${attachmentId}::uuid, ${organizationId}::uuid, ${JSON.stringify(attachment)}::jsonb)`;
}

const ids = fc.uniqueArray(fc.integer({ min: 0, max: 5 }).map(id));
const patterns = fc.uniqueArray(fc.stringMatching(/^[a-z*]{1,9}$/));
const names = fc.record({ allow: patterns, deny: patterns }, { requiredKeys: [] });
const people = {
  roles: fc.uniqueArray(fc.constantFrom(...memberRoleSchema.options)),
  groups: ids,
  userIds: ids,
};
const rules = fc.record({ ...people, tools: names, prompts: names }, { requiredKeys: [] });
/** What a later version may have written, or nothing can read. */
const strange = fc.oneof(
  fc.record({ ...people, tools: fc.constantFrom({ later: [] }, { allow: 1 }, [], null) }),
  fc.record({ ...people, later: fc.constantFrom(true, {}, []) }),
  fc.constantFrom(null, [], 'x', { roles: 'x' }, { groups: [1] }, { userIds: {} }),
);
const level = fc.oneof(
  { weight: 9, arbitrary: rules },
  { weight: 2, arbitrary: fc.record({ userIds: ids }) },
  { weight: 1, arbitrary: strange },
);

describe('rules that are read for one person', () => {
  it('decide about them as those that are read whole', async () => {
    const applicationId = at(world.applicationIds, 0);
    const codes = new Set<string>();
    const property = fc.asyncProperty(level, level, level, async (integration, own, attachment) => {
      const perApplication = { [applicationId]: own };
      const isRules = typeof integration === 'object' && !Array.isArray(integration);
      await write(isRules ? { ...integration, perApplication } : integration, attachment);
      const decide = (row: PolicyRow) => decidePeople(levelsOf(row) ?? [], person);
      const expected = decide(await read(policyColumns));
      for (const { code, level } of expected) codes.add(`${code} ${level}`);
      if (expected.length === 0) codes.add('allowed');
      expect(decide(await read(peopleColumnsFor(person)))).toEqual(expected);
    });
    await fc.assert(property, { numRuns: 150 });
    expect(codes.size).toBe(7);
  });

  it('hold no names, and no other people or groups', async () => {
    const long = { groups: [id(4), id(3)], userIds: [id(5)], tools: { allow: ['read'] } };
    await write({ ...long, perApplication: { [at(world.applicationIds, 0)]: long } }, long);
    const narrow = { groups: [id(3)], userIds: [], tools: { allow: [] } };
    expect(await read(peopleColumnsFor(person))).toEqual({
      integrationRules: narrow,
      applicationRules: narrow,
      attachmentRules: narrow,
    });
  });
});
