import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { meetAt } from '../../support/meet.ts';
import { useServer } from '../../support/server.ts';
import { useMember } from '../../support/users.ts';
import { createApplication, holdApplication, redirectUris } from './support.ts';

const server = useServer();
const admin = useMember(server, 'admin');
const member = useMember(server, 'member');
const other = useMember(server, 'member');

async function storedSecretHash(id: string): Promise<string | null> {
  const { secretHash } = await server.store.db.application.findUniqueOrThrow({ where: { id } });
  return secretHash === null ? null : Buffer.from(secretHash).toString('hex');
}

function sha256(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

const rotate = (id: string, key?: string) =>
  server.call('POST', `/applications/${id}/rotate-secret`, {
    headers: key === undefined ? {} : { 'idempotency-key': key },
  });

const patchOauth = (id: string, body: unknown, headers: Record<string, string> = {}) =>
  server.call('PATCH', `/applications/${id}/oauth`, { body, headers });

describe('GET /applications/:id/oauth', () => {
  it('requires a token', async () => {
    const { id } = await createApplication(server);
    const { status } = await server.call('GET', `/applications/${id}/oauth`, { token: null });
    expect(status).toBe(401);
  });

  it('is for the owner of the application and for admins', async () => {
    const { id } = await createApplication(server, { token: member.token });
    const get = (token: string) => server.call('GET', `/applications/${id}/oauth`, { token });
    expect((await get(other.token)).status).toBe(404);
    expect((await get(member.token)).status).toBe(200);
    expect((await get(admin.token)).status).toBe(200);
  });

  it('answers what the application shows, with its version', async () => {
    const { id, oauth } = await createApplication(server);
    const { headers, body } = await server.call('GET', `/applications/${id}/oauth`);
    expect(body).toEqual({ oauth });
    expect(headers.get('etag')).toBe('"v1"');
  });
});

describe('PATCH /applications/:id/oauth', () => {
  it('requires a token', async () => {
    const { id } = await createApplication(server);
    const { status } = await server.call('PATCH', `/applications/${id}/oauth`, { token: null });
    expect(status).toBe(401);
  });

  it('is for the owner of the application and for admins', async () => {
    const { id } = await createApplication(server, { token: member.token });
    const patch = (token: string) =>
      server.call('PATCH', `/applications/${id}/oauth`, { token, body: { scopes: [] } });
    expect((await patch(other.token)).status).toBe(404);
    expect((await patch(member.token)).status).toBe(200);
    expect((await patch(admin.token)).status).toBe(200);
  });

  it('replaces what is given and keeps the rest', async () => {
    const { id, oauth } = await createApplication(server);
    const change = {
      redirectUris: ['cursor://anysphere.cursor/callback', 'http://localhost:7777/cb'],
      scopes: ['mcp', 'offline_access'],
      allowedResources: ['https://api.example.com/'],
    };
    const { status, headers, body } = await patchOauth(id, change);
    expect(status).toBe(200);
    expect(body).toEqual({ oauth: { ...oauth, ...change } });
    expect(headers.get('etag')).toBe('"v2"');
    const read = await server.call('GET', `/applications/${id}`);
    expect(read.body.application.oauth).toEqual(body.oauth);
    expect(read.headers.get('etag')).toBe('"v2"');
  });

  it('accepts what a read returned, and leaves the version when nothing changes', async () => {
    const { id, oauth } = await createApplication(server);
    for (const body of [oauth, {}]) {
      const { status, headers } = await patchOauth(id, body);
      expect([status, headers.get('etag')]).toEqual([200, '"v1"']);
    }
  });

  it('drops the secret on a change to public, and gets a new one only by rotation', async () => {
    const { id } = await createApplication(server);
    const open = await patchOauth(id, { type: 'public' });
    expect(open.body.oauth).toMatchObject({ type: 'public', clientSecretConfigured: false });
    expect(await storedSecretHash(id)).toBeNull();
    const closed = await patchOauth(id, { type: 'confidential' });
    expect(closed.body.oauth).toMatchObject({ clientSecretConfigured: false });
    const rotated = await rotate(id);
    expect(rotated.body.oauth.clientSecretConfigured).toBe(true);
  });

  it('keeps the secret when the type stays', async () => {
    const { id, secret } = await createApplication(server);
    await patchOauth(id, { type: 'confidential', scopes: [] });
    expect(await storedSecretHash(id)).toBe(sha256(secret));
  });

  it('judges the merged result: a public client keeps a redirect URI', async () => {
    const { id } = await createApplication(server, { oauth: { redirectUris: [] } });
    const refused = await patchOauth(id, { type: 'public' });
    expect(refused.status).toBe(400);
    expect(refused.body.errors).toMatchObject([{ pointer: '/redirectUris' }]);
    expect((await patchOauth(id, { type: 'public', redirectUris })).status).toBe(200);
    expect((await patchOauth(id, { redirectUris: [] })).status).toBe(400);
  });

  it.each([
    ['/redirectUris', { redirectUris: null }],
    ['/redirectUris/0', { redirectUris: ['javascript:alert(1)'] }],
    ['/redirectUris/0', { redirectUris: ['https://a.example/*'] }],
    ['/pkceRequired', { pkceRequired: 'yes' }],
    ['/clientSecret', { clientSecret: 'x' }],
  ])('refuses a wrong %s', async (pointer, body) => {
    const { id } = await createApplication(server);
    const refused = await patchOauth(id, body);
    expect(refused.status).toBe(400);
    expect(refused.body.errors[0].pointer).toBe(pointer);
  });

  it('refuses a version that is not the present one', async () => {
    const { id } = await createApplication(server);
    expect((await patchOauth(id, { scopes: [] }, { 'if-match': '"v2"' })).status).toBe(412);
    expect((await patchOauth(id, { scopes: [] }, { 'if-match': '"v1"' })).status).toBe(200);
  });
});

describe('POST /applications/:id/rotate-secret', () => {
  it('requires a token', async () => {
    const { id } = await createApplication(server);
    const path = `/applications/${id}/rotate-secret`;
    expect((await server.call('POST', path, { token: null })).status).toBe(401);
  });

  it('is for the owner of the application and for admins', async () => {
    const { id } = await createApplication(server, { token: member.token });
    const path = `/applications/${id}/rotate-secret`;
    expect((await server.call('POST', path, { token: other.token })).status).toBe(404);
    expect((await server.call('POST', path, { token: member.token })).status).toBe(200);
    expect((await server.call('POST', path, { token: admin.token })).status).toBe(200);
  });

  it('replaces the secret at once and shows the new one once', async () => {
    const { id, secret } = await createApplication(server);
    const { status, headers, body } = await rotate(id);
    expect(status).toBe(200);
    expect(headers.get('etag')).toBe('"v2"');
    expect(body.oauth.clientSecret).toMatch(/^gh_cs_[A-Za-z0-9_-]{43}$/);
    expect(body.oauth.clientSecret).not.toBe(secret);
    expect(body.application.oauth).not.toHaveProperty('clientSecret');
    expect(await storedSecretHash(id)).toBe(sha256(body.oauth.clientSecret));
  });

  it('has nothing to rotate for a public client', async () => {
    const { id } = await createApplication(server, { oauth: { type: 'public' } });
    const refused = await rotate(id);
    expect([refused.status, refused.body.code]).toEqual([409, 'public_client_has_no_secret']);
  });

  it('leaves exactly one valid secret after several rotations at once', async () => {
    const { id } = await createApplication(server);
    const calls = Array.from({ length: 5 }, () => () => rotate(id));
    const answers = await meetAt(server, holdApplication(id), calls);
    const stored = await storedSecretHash(id);
    const valid = answers.filter(({ body }) => sha256(body.oauth.clientSecret) === stored);
    expect(valid).toHaveLength(1);
    expect(valid[0]?.headers.get('etag')).toBe('"v6"');
  });
});

describe('an Idempotency-Key', () => {
  const create = (key: string, type = 'confidential') =>
    server.call('POST', '/applications', {
      body: { name: 'Once', oauth: { type, redirectUris } },
      headers: { 'idempotency-key': key },
    });

  it('delivers the same application and secret again', async () => {
    const first = await create('create-1');
    const again = await create('create-1');
    expect(again.status).toBe(201);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('location')).toBe(first.headers.get('location'));
    expect(again.headers.get('etag')).toBe('"v1"');
  });

  it('makes one application of many creations at once', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => create('create-2')));
    const created = answers.filter(({ status }) => status === 201);
    expect(new Set(created.map(({ body }) => body.oauth.clientSecret)).size).toBe(1);
    for (const { status, body } of answers) {
      if (status !== 201) expect([status, body.code]).toEqual([409, 'idempotency_in_progress']);
    }
  });

  it('is refused for another body', async () => {
    await create('create-3');
    const refused = await create('create-3', 'public');
    expect([refused.status, refused.body.code]).toEqual([422, 'idempotency_key_reused']);
  });

  it.each([
    ['a rotation', (id: string) => rotate(id)],
    ['an archive', (id: string) => server.call('DELETE', `/applications/${id}`)],
    ['a change of type', (id: string) => patchOauth(id, { type: 'public' })],
  ])('no longer delivers a secret after %s', async (what, act) => {
    const key = `create-before-${what.replaceAll(' ', '-')}`;
    const { body } = await create(key);
    await act(body.application.id);
    const refused = await create(key);
    expect([refused.status, refused.body.code]).toEqual([409, 'secret_no_longer_available']);
    expect(refused.text).not.toContain('gh_cs_');
  });

  it('still replays a creation without a secret after an archive', async () => {
    const first = await create('create-public', 'public');
    await server.call('DELETE', `/applications/${first.body.application.id}`);
    expect((await create('create-public', 'public')).body).toEqual(first.body);
  });

  it('rotates once, and replays that secret until the next rotation', async () => {
    const { id } = await createApplication(server);
    const first = await rotate(id, 'rotate-1');
    expect((await rotate(id, 'rotate-1')).body).toEqual(first.body);
    expect(await storedSecretHash(id)).toBe(sha256(first.body.oauth.clientSecret));
    await rotate(id, 'rotate-2');
    expect((await rotate(id, 'rotate-1')).body.code).toBe('secret_no_longer_available');
  });

  it('does not replay to a caller who no longer sees the application', async () => {
    const { id } = await createApplication(server, { token: member.token });
    const options = { token: member.token, headers: { 'idempotency-key': 'rotate-3' } };
    const path = `/applications/${id}/rotate-secret`;
    expect((await server.call('POST', path, options)).status).toBe(200);
    await server.store.db.application.update({
      where: { id },
      data: { ownerUserId: admin.id },
    });
    expect((await server.call('POST', path, options)).status).toBe(404);
  });
});
