import { describe, expect, it } from 'vitest';
import { useServer } from '../../support/server.ts';

const server = useServer();

let count = 0;
function invite(role: string, token?: string) {
  count += 1;
  return server.call('POST', '/members', {
    body: { email: `m${count}@example.com`, name: 'M', role },
    ...(token ? { token } : {}),
  });
}

describe('POST /members', () => {
  it('requires a token', async () => {
    expect((await server.call('POST', '/members', { token: null, body: {} })).status).toBe(401);
  });

  it('answers the member and an invitation that may only call GET /me and, once, POST /tokens', async () => {
    const { status, body } = await invite('member');
    expect(status).toBe(201);
    expect(body.invitation).toMatch(/^gh_inv_[\w-]{43}$/);
    const token = body.invitation;
    expect((await server.call('GET', '/me', { token })).body.user.id).toBe(body.member.id);
    expect((await server.call('GET', '/integrations', { token })).status).toBe(403);
    const request = { token, body: { name: 'mine', scopes: ['mcp', 'management:read'] } };
    const first = await server.call('POST', '/tokens', request);
    expect(first.status).toBe(201);
    expect((await server.call('GET', '/tokens', { token: first.body.secret })).status).toBe(200);
    const second = await server.call('POST', '/tokens', request);
    expect(second.body).toMatchObject({ status: 409, code: 'invitation_used' });
  });

  it('gives two simultaneous uses of one invitation one token', async () => {
    const { body } = await invite('member');
    const use = () =>
      server.call('POST', '/tokens', {
        token: body.invitation,
        body: { name: 'mine', scopes: ['mcp'] },
      });
    const statuses = (await Promise.all([use(), use(), use()])).map(({ status }) => status);
    expect(statuses.sort()).toEqual([201, 409, 409]);
  });

  it('refuses an email the organization already has', async () => {
    const { body } = await invite('member');
    const again = await server.call('POST', '/members', {
      body: { email: body.member.email, name: 'Again', role: 'member' },
    });
    expect(again.body).toMatchObject({ status: 409, code: 'email_taken' });
  });

  it('lets only owners make owners', async () => {
    const admin = await server.addMember('admin');
    expect((await invite('owner', admin.token)).status).toBe(403);
    expect((await invite('admin', admin.token)).status).toBe(201);
    expect((await invite('owner')).status).toBe(201);
  });
});

describe('PATCH /members/:id', () => {
  it('requires a token', async () => {
    const path = `/members/${crypto.randomUUID()}`;
    expect((await server.call('PATCH', path, { token: null, body: {} })).status).toBe(401);
  });

  it('changes role and name, and the change holds on the next request', async () => {
    const member = await server.addMember('member');
    expect((await server.call('GET', '/members', { token: member.token })).status).toBe(403);
    const { body } = await server.call('PATCH', `/members/${member.id}`, {
      body: { role: 'admin', name: 'Promoted' },
    });
    expect(body.member).toMatchObject({ role: 'admin', name: 'Promoted' });
    expect((await server.call('GET', '/members', { token: member.token })).status).toBe(200);
  });

  it('keeps admins from changing owners', async () => {
    const admin = await server.addMember('admin');
    const owner = await server.addMember('owner');
    const patch = (body: object) =>
      server.call('PATCH', `/members/${owner.id}`, { token: admin.token, body });
    expect((await patch({ role: 'member' })).status).toBe(403);
    expect((await patch({ name: 'x' })).status).toBe(403);
  });
});

describe('DELETE /members/:id', () => {
  it('requires a token', async () => {
    const path = `/members/${crypto.randomUUID()}`;
    expect((await server.call('DELETE', path, { token: null })).status).toBe(401);
  });

  it("kills the member's tokens and connections; applications stay", async () => {
    const member = await server.addMember('member');
    const made = await server.call('POST', '/applications', {
      token: member.token,
      body: { name: 'Kept', oauth: { type: 'public', redirectUris: ['https://a.example/cb'] } },
    });
    expect((await server.call('DELETE', `/members/${member.id}`)).status).toBe(200);
    expect((await server.call('GET', '/me', { token: member.token })).status).toBe(401);
    expect(await server.store.db.connection.count({ where: { userId: member.id } })).toBe(0);
    const kept = await server.call('GET', `/applications/${made.body.application.id}`);
    expect(kept.body.application.ownerUserId).toBe(member.id);
    expect((await server.call('DELETE', `/members/${member.id}`)).status).toBe(404);
  });

  it('also removes the stored response that made the invitation', async () => {
    const request = {
      body: { email: 'brief@example.com', name: 'Brief', role: 'member' },
      headers: { 'idempotency-key': 'invite-brief' },
    };
    const { body } = await server.call('POST', '/members', request);
    await server.call('DELETE', `/members/${body.member.id}`);
    const late = await server.call('POST', '/members', request);
    expect(late.body).toMatchObject({ status: 409, code: 'secret_no_longer_available' });
  });

  it('never leaves an organization without an owner, however many try at once', async () => {
    const second = await server.addMember('owner');
    const third = await server.addMember('owner');
    const { body } = await server.call('GET', '/members?limit=100');
    const owners = body.items.filter((item: { role: string }) => item.role === 'owner');
    const tokens = [server.owner, second.token, third.token];
    const demotions = owners.map((owner: { id: string }, index: number) =>
      server.call('PATCH', `/members/${owner.id}`, {
        token: tokens[index % tokens.length] ?? null,
        body: { role: 'admin' },
      }),
    );
    await Promise.all(demotions);
    const left = await server.store.db.user.count({ where: { role: 'owner' } });
    expect(left).toBeGreaterThanOrEqual(1);
  });
});
