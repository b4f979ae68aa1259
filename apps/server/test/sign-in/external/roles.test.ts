import { beforeEach, expect, it } from 'vitest';
import { admitExternalPerson } from '../../../src/identity/external/admit-external-person.ts';
import { personOfClaims } from '../../../src/sign-in/external/person-of-claims.ts';
import { linkFor } from '../../support/browser.ts';
import { useServer } from '../../support/server.ts';

const ISSUER = 'https://login.example.com';
const server = useServer();
const db = () => server.store.db;
let people = 0;
let email: string;

beforeEach(() => {
  people += 1;
  email = `role-${people}@example.org`;
});

const claimsOf = (more: Readonly<Record<string, unknown>>) => ({
  iss: ISSUER,
  sub: email,
  email,
  email_verified: true,
  ...more,
});

async function admit(claims: Readonly<Record<string, unknown>>): Promise<string> {
  const person = personOfClaims({ roleClaim: 'roles', groupsClaim: undefined }, claimsOf(claims));
  if (person === undefined) throw new Error('Nobody.');
  const admitted = await server.store.transaction((tx) =>
    admitExternalPerson(tx, person, ['example.org']),
  );
  return admitted.userId ?? admitted.refusal;
}

const roleOf = async (id: string) => (await db().user.findUniqueOrThrow({ where: { id } })).role;

it.each([
  ['admin', 'admin'],
  [['viewer', 'admin'], 'admin'],
  ['member', 'member'],
  [['viewer'], 'member'],
  [undefined, 'member'],
  ['owner', 'member'],
  [['owner'], 'member'],
  ['administrator', 'member'],
  [{ admin: true }, 'member'],
])('the claim %o makes a new member %s', async (roles, role) => {
  expect(await roleOf(await admit({ roles }))).toBe(role);
});

it('the claim decides at every sign-in, and a person who loses it is a member again', async () => {
  const id = await admit({ roles: 'admin' });
  expect(await admit({})).toBe(id);
  expect(await roleOf(id)).toBe('member');
  await admit({ roles: ['admin'] });
  expect(await roleOf(id)).toBe('admin');
});

it('the claim never changes owners', async () => {
  const id = await admit({});
  await db().user.update({ where: { id }, data: { role: 'owner' } });
  for (const roles of ['member', 'admin', undefined]) {
    await admit({ roles });
    expect(await roleOf(id)).toBe('owner');
  }
});

it('a demotion holds for the tokens that are out', async () => {
  const { id, token } = await server.addMember('admin');
  await db().user.update({ where: { id }, data: { email } });
  expect((await server.call('GET', '/members', { token })).status).toBe(200);
  expect(await admit({ roles: 'member' })).toBe(id);
  expect((await server.call('GET', '/members', { token })).status).toBe(403);
});

it('a promotion ends links and invitations that are out', async () => {
  const id = await admit({});
  const { organizationId } = await db().user.findUniqueOrThrow({ where: { id } });
  await linkFor(server.store, { id, organizationId }, 'invitation');
  await admit({ roles: 'member' });
  expect(await db().signInLink.count({ where: { userId: id } })).toBe(1);
  await admit({ roles: 'admin' });
  expect(await db().signInLink.count({ where: { userId: id } })).toBe(0);
});

it.each([
  [{ email_verified: true }, ISSUER, true],
  [{ email_verified: 'true' }, ISSUER, true],
  [{ email_verified: 'false' }, ISSUER, false],
  [{ email_verified: undefined }, ISSUER, false],
  [{ email_verified: undefined, xms_edov: true }, ISSUER, false],
  [{ email_verified: undefined, xms_edov: '1' }, 'https://login.microsoftonline.com/t/v2.0', true],
  [
    { email_verified: undefined, xms_edov: false },
    'https://login.microsoftonline.com/t/v2.0',
    false,
  ],
  [{ email_verified: false, xms_edov: true }, 'https://login.microsoftonline.com/t/v2.0', false],
  [
    { email_verified: undefined, xms_edov: true },
    'https://login.microsoftonline.com.evil.example/t',
    false,
  ],
])('the claims %o of %s verify an email: %s', (claims, iss, isEmailVerified) => {
  const person = personOfClaims(
    { roleClaim: undefined, groupsClaim: undefined },
    claimsOf({ iss, ...claims }),
  );
  expect(person).toMatchObject({ isEmailVerified, role: undefined });
});

it.each([undefined, '', 'x'.repeat(256), 'ü', 7])(
  'a person is not identified by the subject %o',
  (sub) => {
    expect(
      personOfClaims({ roleClaim: undefined, groupsClaim: undefined }, claimsOf({ sub })),
    ).toBeUndefined();
  },
);

it('an invalid email and an invalid name are ignored', () => {
  const person = personOfClaims(
    { roleClaim: undefined, groupsClaim: undefined },
    claimsOf({ email: 'nobody', name: 'A\u0000' }),
  );
  expect(person).toMatchObject({ email: undefined, name: undefined });
});
