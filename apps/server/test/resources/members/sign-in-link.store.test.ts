import { describe, expect, it } from 'vitest';
import { findSignInLink, takeSignInLink } from '../../../src/identity/sign-in-links.ts';
import { useServer } from '../../support/server.ts';
import { useMember, useStranger } from '../../support/users.ts';

const server = useServer();
const admin = useMember(server, 'admin');
const member = useMember(server, 'member');
const stranger = useStranger(server);

const make = (id: string, token: string | null = server.owner, body?: object, headers = {}) =>
  server.call('POST', `/members/${id}/sign-in-link`, {
    token,
    headers,
    ...(body === undefined ? {} : { body }),
  });

const secretOf = (url: string) => url.slice(`${server.origin}/sign-in/link/`.length);
const find = (url: string) => findSignInLink(server.store.db, secretOf(url));

describe('POST /members/:id/sign-in-link', () => {
  it('requires a token', async () => {
    expect((await make(member.id, null)).status).toBe(401);
  });

  it('is for admins, and only for owners where the member is one', async () => {
    const owner = await server.addMember('owner');
    expect((await make(member.id, member.token)).body.code).toBe('forbidden');
    expect((await make(owner.id, admin.token)).body.code).toBe('forbidden');
    expect((await make(owner.id)).status).toBe(201);
    expect((await make(member.id, admin.token)).status).toBe(201);
  });

  it('does not know a member of another organization', async () => {
    expect((await make(member.id, stranger.token)).status).toBe(404);
    expect((await make(crypto.randomUUID())).status).toBe(404);
    expect((await make('42')).status).toBe(400);
  });

  it('answers a link for that member, which no row contains', async () => {
    const { status, body, headers } = await make(member.id);
    expect(status).toBe(201);
    expect(body).toEqual({
      url: expect.stringMatching(/\/sign-in\/link\/[\w-]{43}$/),
      expiresAt: expect.stringMatching(/Z$/),
    });
    expect(headers.get('location')).toBeNull();
    expect(await find(body.url)).toMatchObject({ userId: member.id, purpose: 'invitation' });
    const [row] = await server.store.db.$queryRaw<{ text: string }[]>`
      SELECT string_agg(l::text, '') AS "text" FROM "SignInLink" l`;
    expect(row?.text).not.toContain(secretOf(body.url));
  });

  it('is by default a reset for a member who has a password', async () => {
    const someone = await server.addMember('member');
    const passwordHash = '$scrypt$';
    await server.store.db.user.update({ where: { id: someone.id }, data: { passwordHash } });
    expect(await find((await make(someone.id)).body.url)).toMatchObject({ purpose: 'reset' });
    const invited = await make(someone.id, server.owner, { purpose: 'invitation' });
    expect(await find(invited.body.url)).toMatchObject({ purpose: 'invitation' });
    expect((await make(someone.id, server.owner, { purpose: 'sign_in' })).status).toBe(400);
  });

  it('is replayed for its key to admins alone, and not after another was made', async () => {
    const other = await server.addMember('admin');
    const key = { 'idempotency-key': 'link-1' };
    const first = await make(member.id, other.token, undefined, key);
    expect((await make(member.id, other.token, undefined, key)).body).toEqual(first.body);
    await make(member.id);
    const late = await make(member.id, other.token, undefined, key);
    expect(late.body.code).toBe('secret_no_longer_available');
    await server.call('PATCH', `/members/${other.id}`, { body: { role: 'member' } });
    expect((await make(member.id, other.token, undefined, key)).status).toBe(403);
  });

  it('leaves one link that works, however many ask at the same time', async () => {
    const someone = await server.addMember('member');
    const made = await Promise.all([1, 2, 3].map(() => make(someone.id)));
    const found = await Promise.all(made.map(({ body }) => find(body.url)));
    expect(found.filter((holder) => holder !== undefined)).toHaveLength(1);
  });
});

describe('POST /members', () => {
  it('answers the same invitation as a link, which works once', async () => {
    const body = { email: 'linked@example.com', name: 'Linked', role: 'member' };
    const made = (await server.call('POST', '/members', { body })).body;
    const take = () =>
      takeSignInLink(server.store.db, secretOf(made.invitationUrl), ['invitation']);
    expect(await take()).toEqual({ userId: made.member.id });
    expect(await take()).toBeUndefined();
  });
});
