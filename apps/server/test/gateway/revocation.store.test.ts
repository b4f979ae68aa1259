import { beforeAll, describe, expect, it } from 'vitest';
import { type Answer, clientOf, MODERN, useFixture } from './fixture.ts';

const fixture = useFixture();

beforeAll(async () => {
  fixture.upstream.otherwise(({ respondResult }) => respondResult({}));
});

interface Opened {
  readonly integrationId: string;
  readonly url: string;
  readonly stream: Answer;
  readonly upstreamClosed: Promise<'finished' | 'aborted'>;
  /** Calls again as the client would. */
  again(): Promise<number>;
}

/** A stream of a member, in a legacy session or without one. */
async function openStream(
  member: { token: string },
  era: 'legacy' | 'modern',
  fields: Record<string, unknown> = {},
): Promise<Opened> {
  const send = clientOf(member.token);
  const integrationId = await fixture.integrate(fields);
  if (fields.authMode === 'user_token') {
    const body = { token: 'credential' };
    await fixture.api('POST', `/integrations/${integrationId}/connection`, body, member.token);
  }
  const url = fixture.urlOf(integrationId);
  let headers: Record<string, string> = MODERN;
  if (era === 'legacy') {
    const initialized = send(url);
    (await fixture.upstream.nextRequest()).respondResult({}, { 'Mcp-Session-Id': 'upstream' });
    headers = { 'mcp-session-id': String((await initialized).headers['mcp-session-id']) };
  }
  const method = era === 'legacy' ? 'GET' : 'POST';
  const answer = send(url, { method, headers });
  const exchange = await fixture.upstream.nextRequest();
  exchange.startSse();
  await exchange.sendEvent({ data: 'hello' });
  const stream = await answer;
  await stream.received('hello');
  const again = async () => {
    const { status, text } = await send(url, { headers });
    return (await text()).includes('-31001') ? -31001 : status;
  };
  return { integrationId, url, stream, upstreamClosed: exchange.closed, again };
}

const cases: readonly [
  string,
  (opened: Opened, member: { id: string }) => Promise<unknown>,
  number,
][] = [
  [
    'the integration is detached',
    ({ integrationId }) =>
      fixture.api('DELETE', `/applications/${fixture.applicationId}/integrations/${integrationId}`),
    404,
  ],
  [
    'the integration is archived',
    ({ integrationId }) => fixture.api('DELETE', `/integrations/${integrationId}`),
    404,
  ],
  [
    'the integration is no longer proxied',
    ({ integrationId }) =>
      fixture.api('PATCH', `/integrations/${integrationId}`, {
        category: 'internal_mcp_credentials',
      }),
    404,
  ],
  ['the member is removed', (_opened, { id }) => fixture.api('DELETE', `/members/${id}`), 401],
];

describe.each(['legacy', 'modern'] as const)('an open %s stream is cut', (era) => {
  it.each(cases)('when %s, and the next call is refused', async (_name, act, status) => {
    const member = await fixture.server.addMember('admin');
    const opened = await openStream(member, era);
    await act(opened, member);
    expect(await opened.stream.text()).toContain('hello');
    expect(await opened.upstreamClosed).toBe('aborted');
    const before = fixture.upstream.requests.length;
    expect(await opened.again()).toBe(status);
    expect(fixture.upstream.requests.length).toBe(before);
  });

  it('when all access of its member is revoked, which counts it', async () => {
    const member = await fixture.server.addMember('member');
    const opened = await openStream(member, era);
    const { body } = await fixture.api('POST', `/members/${member.id}/revoke-access`);
    expect(body.revoked).toMatchObject({ sessions: 1, streams: 1 });
    await opened.stream.text();
    expect(await opened.upstreamClosed).toBe('aborted');
    expect(await opened.again()).toBe(401);
  });

  it('when all access through its application is revoked, which counts it', async () => {
    const member = await fixture.server.addMember('member');
    const opened = await openStream(member, era);
    const path = `/applications/${fixture.applicationId}/revoke-access`;
    const { body } = await fixture.api('POST', path);
    expect(body.revoked.streams).toBe(1);
    await opened.stream.text();
    expect(await opened.upstreamClosed).toBe('aborted');
    if (era === 'legacy') expect(await opened.again()).toBe(404);
  });

  it('when its token is revoked', async () => {
    const member = await fixture.server.addMember('member');
    const opened = await openStream(member, era);
    const { body } = await fixture.api('GET', '/tokens', undefined, member.token);
    await fixture.api('DELETE', `/tokens/${body.items[0].id}`);
    await opened.stream.text();
    expect(await opened.upstreamClosed).toBe('aborted');
    expect(await opened.again()).toBe(401);
  });

  it('when the connection is deleted', async () => {
    const member = await fixture.server.addMember('member');
    const opened = await openStream(member, era, { authMode: 'user_token' });
    const path = `/integrations/${opened.integrationId}/connection`;
    await fixture.api('DELETE', path, undefined, member.token);
    await opened.stream.text();
    expect(await opened.upstreamClosed).toBe('aborted');
    expect(await opened.again()).toBe(era === 'legacy' ? 404 : -31001);
  });

  it('when its session is revoked', async () => {
    const member = await fixture.server.addMember('member');
    const opened = await openStream(member, era);
    const path = `/applications/${fixture.applicationId}/sessions`;
    const { body } = await fixture.api('GET', path);
    const session = body.items.find(
      (item: { integrationId: string }) => item.integrationId === opened.integrationId,
    );
    expect(session.live).toBe(true);
    await fixture.api('DELETE', `${path}/${session.id}`);
    await opened.stream.text();
    expect(await opened.upstreamClosed).toBe('aborted');
    const before = fixture.upstream.requests.length;
    expect(await opened.again()).toBe(era === 'legacy' ? 404 : 403);
    expect(fixture.upstream.requests.length).toBe(before);
  });

  it('but not by changes that take nothing away', async () => {
    const member = await fixture.server.addMember('member');
    const opened = await openStream(member, era);
    await fixture.api('PATCH', `/integrations/${opened.integrationId}`, { name: 'Renamed' });
    await fixture.api('PATCH', `/applications/${fixture.applicationId}`, { name: 'Renamed' });
    await fixture.api('PATCH', `/members/${member.id}`, { role: 'admin' });
    const answer = clientOf(member.token)(opened.url, { headers: MODERN });
    (await fixture.upstream.nextRequest()).respondResult({});
    expect((await answer).status).toBe(200);
    expect(opened.stream.stream.readableEnded).toBe(false);
    opened.stream.abort();
    await opened.upstreamClosed;
  });
});
