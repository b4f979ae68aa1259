import { beforeAll, describe, expect, it } from 'vitest';
import { findTokenCaller, hashToken } from '../../src/identity/tokens.ts';
import type { Db } from '../../src/platform/database/store.ts';
import { buffersOf, explain } from '../scale/plans.ts';
import { openRecordingStore } from '../scale/recording-store.ts';
import { createPostgresqlDatabase, testDatabaseKind } from '../support/database.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { openPostgresqlStore } from '../support/store.ts';
import { use } from '../support/use.ts';
import { clientOf, MODERN, startGateway, useFixture } from './fixture.ts';

/** As many as an organization may have; each of these members is in three groups. */
async function addMembersAndGroups(db: Db): Promise<void> {
  await db.$executeRaw`
    INSERT INTO "User" ("id", "organizationId", "email", "name", "role", "createdAt")
    SELECT gen_random_uuid(), (SELECT "id" FROM "Organization"), n || '@many.example', 'M', 'member', now()
    FROM generate_series(1, 10000) n`;
  await db.$executeRaw`
    INSERT INTO "Group" ("id", "organizationId", "name", "nameKey", "createdAt", "updatedAt")
    SELECT gen_random_uuid(), (SELECT "id" FROM "Organization"), 'G' || n, 'g' || n, now(), now()
    FROM generate_series(1, 999) n`;
  await db.$executeRaw`
    INSERT INTO "GroupMember" ("groupId", "userId", "createdAt")
    SELECT g."id", u."id", now()
    FROM (SELECT "id", row_number() OVER (ORDER BY "id") AS n FROM "User"
      WHERE "email" LIKE '%@many.example') u
    CROSS JOIN generate_series(0, 2) k
    JOIN (SELECT "id", row_number() OVER (ORDER BY "id") AS n FROM "Group") g
      ON g.n = 1 + (u.n + 300 * k) % 1000`;
}

/** A member who is in one group; its id. */
async function addMemberInGroup({ addMember, call }: TestServer) {
  const member = await addMember('member');
  const { body } = await call('POST', '/groups', { body: { name: 'Team' } });
  const groupId: string = body.group.id;
  await call('PUT', `/groups/${groupId}/members/${member.id}`);
  return { ...member, groupId };
}

describe('with 10,000 members in 1,000 groups, a gateway call', () => {
  const fixture = useFixture();
  let member: Awaited<ReturnType<typeof addMemberInGroup>>;
  let integrationId: string;

  beforeAll(async () => {
    fixture.upstream.otherwise(({ respondResult }) => respondResult({}));
    member = await addMemberInGroup(fixture.server);
    integrationId = await fixture.integrate({ authMode: 'none' });
    const rules = { groups: [member.groupId] };
    await fixture.api('PUT', `/integrations/${integrationId}/policy`, rules);
  });

  /** The statements of the first call at a node that has nothing in memory, and of those after it. */
  async function statementsOfCalls() {
    const { store } = fixture.server;
    const node = await startGateway(store);
    const send = clientOf(member.token);
    const call = async (): Promise<string[]> => {
      store.statements();
      const answer = await send(fixture.urlOf(integrationId, node.origin), { headers: MODERN });
      expect(answer.status).toBe(200);
      await answer.text();
      return store.statements().filter((sql) => !/lastActivity|lastUsed/.test(sql));
    };
    const calls = { first: await call(), later: [...(await call()), ...(await call())] };
    await node.close();
    return calls;
  }

  it('makes the statements that it makes with one group', async () => {
    await statementsOfCalls();
    const withOne = await statementsOfCalls();
    await addMembersAndGroups(fixture.server.store.db);
    expect(await statementsOfCalls()).toEqual(withOne);
    expect(withOne.first.filter((sql) => sql.includes('"GroupMember"'))).toHaveLength(1);
    expect(withOne.later).toEqual([]);
  });

  it('of someone in all groups makes no further one', async () => {
    const before = await statementsOfCalls();
    await fixture.server.store.db.$executeRaw`
      INSERT INTO "GroupMember" ("groupId", "userId", "createdAt")
      SELECT "id", ${member.id}::uuid, now() FROM "Group" WHERE "id" <> ${member.groupId}::uuid`;
    expect(await statementsOfCalls()).toEqual(before);
  });
});

describe.runIf(testDatabaseKind === 'postgresql')('finding the caller', () => {
  let databaseUrl: string;
  const server = use(async () => {
    const database = await createPostgresqlDatabase();
    databaseUrl = database.config.databaseUrl;
    return startTestServer({}, () => openPostgresqlStore(database));
  });

  it('reads the groups of one person by index, as fast as those of someone in no group', async () => {
    const { token } = await addMemberInGroup(server);
    await addMembersAndGroups(server.store.db);
    await server.store.db.$executeRaw`ANALYZE`;
    const store = await openRecordingStore(databaseUrl);
    const planOf = async (bearer: string) => {
      const sent = await store.record(() => findTokenCaller(store.db, hashToken(bearer)));
      const plans = await explain(databaseUrl, sent);
      expect(plans).toHaveLength(1);
      expect(plans.flatMap(({ indexes }) => indexes)).toContain('GroupMember_userId_idx');
      return plans;
    };
    const [inOne, inNoGroup] = [await planOf(token), await planOf(server.owner)];
    await store.close();
    expect(buffersOf(inOne)).toBeLessThanOrEqual(buffersOf(inNoGroup) + 2);
    expect(buffersOf(inOne)).toBeLessThan(25);
  });
});
