import { Gatehouse, isApiError } from '@gatehouse/sdk';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createMockGatehouse } from '../src/index.ts';
import { setupMockGatehouse } from '../src/node.ts';

const { gatehouse: mocks, server } = setupMockGatehouse();
const { fixtures, tokens } = mocks;
const clientOf = (accessToken: string) =>
  new Gatehouse({ baseUrl: mocks.baseUrl, accessToken, logLevel: 'off' });
const owner = clientOf(tokens.owner);

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterEach(() => mocks.reset());
afterAll(() => server.close());

const codeOf = (call: PromiseLike<unknown>) =>
  Promise.resolve(call).then(
    () => undefined,
    (error: unknown) => (isApiError(error) ? error.code : error),
  );

describe('createMockGatehouse', () => {
  it('has one organization with an owner, an admin and a member', async () => {
    for (const role of ['owner', 'admin', 'member'] as const) {
      const me = await clientOf(tokens[role]).me();
      expect([me.user.role, me.organization]).toEqual([role, mocks.organization]);
    }
    expect((await owner.members.list()).items).toHaveLength(3);
  });

  it('takes base URLs with and without /api/v1, and with a path in front', () => {
    const baseUrlOf = (baseUrl: string) => createMockGatehouse({ baseUrl }).baseUrl;
    expect(baseUrlOf('https://a.example')).toBe('https://a.example/api/v1');
    expect(baseUrlOf('https://a.example/api/v1/')).toBe('https://a.example/api/v1');
    expect(baseUrlOf('https://a.example/gatehouse')).toBe('https://a.example/gatehouse/api/v1');
    expect(createMockGatehouse().baseUrl).toBe('http://127.0.0.1:3000/api/v1');
  });

  it('answers below a path in front of /api/v1', async () => {
    const inner = createMockGatehouse({ baseUrl: 'https://a.example/gatehouse' });
    server.use(...inner.handlers);
    const { baseUrl } = inner;
    const client = new Gatehouse({ baseUrl, accessToken: inner.tokens.owner, logLevel: 'off' });
    expect((await client.me()).organization).toEqual(inner.organization);
    expect((await owner.me()).organization).toEqual(mocks.organization);
    server.resetHandlers();
  });

  it('returns to its initial state on reset, with the same tokens', async () => {
    const { integration } = await owner.integrations.create({
      name: 'Search',
      url: 'https://mcp.example.com',
    });
    const { user } = await owner.me();
    const { secret } = await owner.tokens.create({ name: 'x', scopes: ['management:read'] });
    mocks.setValidation(integration.id, { status: 'invalid', message: 'Set.' });
    mocks.reset();
    expect(await codeOf(owner.integrations.get(integration.id))).toBe('not_found');
    expect(await codeOf(clientOf(secret).me())).toBe('unauthenticated');
    expect((await owner.me()).user).toEqual(user);
  });

  it('refuses private addresses unless their network is allowed', async () => {
    const call = owner.integrations.create({ name: 'x', url: 'http://127.0.0.1:8080/mcp' });
    expect(await codeOf(call)).toBe('egress_denied');
  });
});

describe('setValidation', () => {
  it('decides what validate answers until it is undone', async () => {
    const { id } = fixtures.addIntegration();
    const outcome = { status: 'invalid', message: 'The server refused the token.' } as const;
    mocks.setValidation(id, outcome);
    const { stages, ...answer } = await owner.integrations.validate(id);
    expect(answer).toEqual(outcome);
    expect(stages.filter(({ status }) => status === 'failed')).toHaveLength(1);
    const { integration } = await owner.integrations.get(id);
    expect(integration.validationStatus).toBe('invalid');
    expect(integration.validationMessage).toBe(outcome.message);
    mocks.setValidation(id, undefined);
    expect((await owner.integrations.validate(id)).status).toBe('valid');
  });

  it('may also say how each stage ended', async () => {
    const { id } = fixtures.addIntegration();
    const stages = [
      { stage: 'address', status: 'failed', code: 'name_not_found', milliseconds: 3 },
    ] as const;
    mocks.setValidation(id, { status: 'invalid', message: 'No such host.', stages });
    expect((await owner.integrations.validate(id)).stages).toEqual(stages);
  });

  it('may say when the certificate expires, which the integration shows', async () => {
    const { id } = fixtures.addIntegration();
    const certificateExpiresAt = '2027-02-14T00:00:00.000Z';
    const stages = [
      { stage: 'tls', status: 'passed', milliseconds: 3, certificateExpiresAt },
    ] as const;
    mocks.setValidation(id, { status: 'valid', message: 'Works.', stages });
    await owner.integrations.validate(id);
    const { integration } = await owner.integrations.get(id);
    expect(integration.certificateExpiresAt).toBe(certificateExpiresAt);
  });
});

describe('fixtures', () => {
  it('put integrations, applications and attachments in place', async () => {
    const integration = fixtures.addIntegration({ name: 'Search' });
    const { application, clientSecret } = fixtures.addApplication(
      { oauth: { type: 'confidential', redirectUris: [] } },
      { token: tokens.member },
    );
    fixtures.attach(application.id, integration.id);
    const read = (await clientOf(tokens.member).applications.get(application.id)).application;
    expect(read.integrations.map(({ name }) => name)).toEqual(['Search']);
    expect(clientSecret).toMatch(/^gh_cs_/);
    expect((await owner.integrations.get(integration.id)).integration).toEqual(integration);
  });

  it('refuse what the service would refuse', () => {
    expect(() => fixtures.addIntegration({ url: 'nowhere' })).toThrow();
    expect(() => fixtures.addIntegration({ url: 'http://10.0.0.1' })).toThrow('not public');
    expect(() => fixtures.addIntegration({}, { token: 'unknown' })).toThrow('no such token');
  });

  it('add members with chosen scopes, and other organizations', async () => {
    const reader = fixtures.addMember('admin', { scopes: ['management:read'] });
    expect((await clientOf(reader.token).me()).user.id).toBe(reader.id);
    const write = clientOf(reader.token).integrations.archive(reader.id);
    expect(await codeOf(write)).toBe('insufficient_scope');
    const other = fixtures.addOrganization('Other');
    const me = await clientOf(other.owner.token).me();
    expect(me.organization).toEqual({ id: other.id, name: 'Other' });
  });

  it('connect users by OAuth without a link', async () => {
    const { id } = fixtures.addIntegration({
      authMode: 'oauth',
      oauth: { issuer: 'https://id.example.com' },
    });
    fixtures.addConnection({ integrationId: id, displayName: 'ada', reason: 'rejected_upstream' });
    const { integration } = await owner.integrations.get(id);
    expect(integration.userConnection).toEqual({
      connected: true,
      status: 'connected',
      reason: 'rejected_upstream',
      displayName: 'ada',
    });
    expect((await owner.integrations.validate(id)).status).toBe('valid');
    await owner.integrations.update(id, { oauth: null });
    expect((await owner.integrations.get(id)).integration.userConnection?.connected).toBe(false);
  });

  it('let a connection be expired, which validates as invalid', async () => {
    const { id } = fixtures.addIntegration({ authMode: 'user_token' });
    const expiresAt = '2026-01-01T00:00:00.000Z';
    fixtures.addConnection({ integrationId: id, expiresAt });
    const { integration } = await owner.integrations.get(id);
    expect(integration.userConnection).toMatchObject({ reason: 'expired', expiresAt });
    expect((await owner.integrations.validate(id)).status).toBe('invalid');
  });

  it('add sessions in any state', async () => {
    const integrationId = fixtures.addIntegration().id;
    const applicationId = fixtures.addApplication().application.id;
    fixtures.attach(applicationId, integrationId);
    const given = { applicationId, integrationId };
    fixtures.addSession({ ...given, live: true });
    fixtures.addSession({ ...given, state: 'closed' });
    const { application } = await owner.applications.get(applicationId);
    expect(application).toMatchObject({
      activeSessionCount: 1,
      liveSessionCount: 1,
      totalSessionCount: 2,
    });
    const { items } = await owner.applications.sessions.list(applicationId);
    expect(items.map(({ state }) => state)).toEqual(['closed', 'open']);
  });

  it('list a tool as it was added last, also within one millisecond', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const integrationId = fixtures.addIntegration().id;
    const tool = { integrationId, name: 'send', readOnly: false };
    const [before, after] = ['0'.repeat(64), '1'.repeat(64)];
    fixtures.addTool({ ...tool, fingerprint: before });
    const url = `${mocks.baseUrl}/integrations/${integrationId}/tools`;
    const headers = { authorization: `Bearer ${tokens.owner}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ fingerprints: { send: before } });
    await fetch(`${url}/approve`, { method: 'POST', headers, body });
    fixtures.addTool({ ...tool, fingerprint: after });
    const listed = await (await fetch(url, { headers })).json();
    expect(listed).toMatchObject({ items: [{ state: 'changed', fingerprint: after }] });
  });
});
