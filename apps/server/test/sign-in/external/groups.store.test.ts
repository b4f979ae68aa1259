import pino from 'pino';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Browser } from '../../support/browser.ts';
import { startTestServer } from '../../support/server.ts';
import { openTestStore } from '../../support/store.ts';
import { use } from '../../support/use.ts';
import { type Account, startTestProvider } from './openid-provider.ts';
import { signInAt } from './visit-provider.ts';

const written: string[] = [];
const log = pino({ level: 'warn' }, { write: (line: string) => void written.push(line) });
const provider = use(() => startTestProvider({ groupsClaim: 'groups' }));
const server = use(() =>
  startTestServer({ externalSignIn: provider.settings }, openTestStore, log),
);
const db = () => server.store.db;
let people = 0;
let sub: string;
let email: string;
let groups: Record<'sales' | 'support' | 'chosen', string>;

beforeAll(async () => {
  provider.open(`${server.origin}/sign-in/external/callback`);
  const add = async (name: string, externalId: string | null) =>
    (await server.call('POST', '/groups', { body: { name, externalId } })).body.group.id;
  groups = {
    sales: await add('Sales', 'sales'),
    support: await add('Support', 'support'),
    chosen: await add('Chosen', null),
  };
});

beforeEach(() => {
  people += 1;
  sub = `in-groups-${people}`;
  email = `${sub}@example.org`;
  written.length = 0;
});

async function signIn(claims: Account, browser = new Browser(server)): Promise<void> {
  provider.accounts.set(sub, { email, email_verified: true, ...claims });
  expect((await signInAt(provider, server, browser, sub)).status).toBe(303);
}

const findUser = () => db().user.findFirstOrThrow({ where: { email } });

async function groupsOfUser(): Promise<string[]> {
  const { id: userId } = await findUser();
  const rows = await db().groupMember.findMany({ where: { userId } });
  return rows.map(({ groupId }) => groupId).sort();
}

describe('a sign-in with a groups claim', () => {
  it('puts a new member into those that exist here, and ignores the others', async () => {
    await signIn({ groups: ['sales', 'SUPPORT', 'nobody made this'] });
    expect(await groupsOfUser()).toEqual([groups.sales]);
  });

  it('takes away what the claim has lost, and leaves a group that was chosen here', async () => {
    await signIn({ groups: ['sales', 'support'] });
    const { id } = await findUser();
    await server.call('PUT', `/groups/${groups.chosen}/members/${id}`);
    await signIn({ groups: 'support' });
    expect(await groupsOfUser()).toEqual([groups.support, groups.chosen].sort());
    await signIn({});
    expect(await groupsOfUser()).toEqual([groups.chosen]);
  });

  it('leaves the groups as they are, and warns, when the provider left them out', async () => {
    await signIn({ groups: ['sales'] });
    expect(written).toEqual([]);
    await signIn({
      _claim_names: { groups: 'src1' },
      _claim_sources: { src1: { endpoint: 'https://graph.example/groups' } },
    });
    expect(await groupsOfUser()).toEqual([groups.sales]);
    const [line = '{}'] = written;
    expect(JSON.parse(line).msg).toMatch(/left the groups of a person out.*: let it put only/);
    expect(line).not.toContain(email);
  });

  it('holds for the tokens that are out', async () => {
    const { id, token } = await server.addMember('member');
    await db().user.update({ where: { id }, data: { email } });
    const seen = async () =>
      (await server.call('GET', '/groups', { token })).body.items.map(
        ({ name }: { name: string }) => name,
      );
    expect(await seen()).toEqual([]);
    await signIn({ groups: ['sales'] });
    expect(await seen()).toEqual(['Sales']);
    await signIn({ groups: ['support'] });
    expect(await seen()).toEqual(['Support']);
  });

  it('changes nothing if no browser session begins', async () => {
    await signIn({ groups: ['sales'] });
    await db()
      .$executeRaw`ALTER TABLE "BrowserSession" ADD CONSTRAINT "full" CHECK (false) NOT VALID`;
    provider.accounts.set(sub, { email, email_verified: true, groups: ['support'] });
    const { status } = await signInAt(provider, server, new Browser(server), sub);
    await db().$executeRaw`ALTER TABLE "BrowserSession" DROP CONSTRAINT "full"`;
    expect(status).toBe(500);
    expect(await groupsOfUser()).toEqual([groups.sales]);
  });

  it('does not put one more into a group that is full', async () => {
    await db().$executeRaw`
      WITH "added" AS (
        INSERT INTO "User" ("id", "organizationId", "email", "name", "role", "createdAt")
        SELECT gen_random_uuid(), (SELECT "id" FROM "Organization"), n || '@full.example', 'M', 'member', now()
        FROM generate_series(1, 10000) n RETURNING "id")
      INSERT INTO "GroupMember" ("groupId", "userId", "createdAt")
      SELECT ${groups.support}::uuid, "id", now() FROM "added"`;
    await signIn({ groups: ['sales', 'support'] });
    expect(await groupsOfUser()).toEqual([groups.sales]);
    expect(written.map((line) => JSON.parse(line))).toMatchObject([
      { msg: expect.stringContaining('full'), groupIds: [groups.support] },
    ]);
    await db().groupMember.deleteMany({
      where: { user: { email: { endsWith: '@full.example' } } },
    });
  });
});
