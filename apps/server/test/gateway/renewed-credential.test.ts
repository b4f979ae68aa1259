import { beforeEach, describe, expect, it } from 'vitest';
import type { CredentialOutcome, ReadyCredential } from '../../src/credentials/outcome.ts';
import { use } from '../support/use.ts';
import { CALL, clientOf, listen, MODERN, STATELESS, startGateway, useFixture } from './fixture.ts';

const fixture = useFixture();

let renewals: ReadyCredential[] = [];
let renew: (rejected: ReadyCredential) => Promise<CredentialOutcome | undefined>;
const start = (limits = {}) =>
  startGateway(fixture.server.store, {
    limits,
    renew: (_target, _userId, rejected) => {
      renewals.push(rejected);
      return renew(rejected);
    },
  });
const gateway = use(() => start());

const renewed = (rejected: ReadyCredential): ReadyCredential => ({
  ...rejected,
  headers: [['authorization', 'Bearer renewed']],
});

beforeEach(() => {
  renewals = [];
  renew = async (rejected) => renewed(rejected);
});

/** A member who is connected. */
async function connected(fields: Record<string, unknown> = {}) {
  const { token, id: userId } = await fixture.server.addMember('member');
  const integrationId = await fixture.integrate({ authMode: 'user_token', ...fields });
  const path = `/integrations/${integrationId}/connection`;
  await fixture.api('POST', path, { token: 'stale' }, token);
  const read = async () => {
    const { body } = await fixture.api('GET', `/integrations/${integrationId}`, undefined, token);
    return body.userConnection ?? body.integration.userConnection;
  };
  return {
    userId,
    integrationId,
    read,
    url: fixture.urlOf(integrationId, gateway.origin),
    send: clientOf(token),
    connectUrl: `http://127.0.0.1/connect?integration=${integrationId}`,
    disconnect: () => fixture.api('DELETE', path, undefined, token),
    connect: (other: string) => fixture.api('POST', path, { token: other }, token),
  };
}

/** Renewing that waits until it is released. */
function waitingRenewal() {
  let begin = () => {};
  let proceed = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const proceeding = new Promise<void>((resolve) => {
    proceed = resolve;
  });
  renew = async (rejected) => {
    begin();
    await proceeding;
    return renewed(rejected);
  };
  return { begun, proceed };
}

describe('a call with a credential that the upstream rejects', () => {
  it.each([
    ['POST', {}, CALL],
    ['GET', STATELESS, undefined],
    ['DELETE', STATELESS, undefined],
  ])('is sent once more with the renewed one: %s', async (method, headers, body) => {
    const { url, send } = await connected();
    fixture.upstream.refuse(1);
    const answer = send(url, { method, headers, body });
    const exchange = await fixture.upstream.nextRequest();
    const [first, second] = fixture.upstream.requests.slice(-2);
    expect(first?.headers.authorization).toBe('Bearer stale');
    expect(second?.headers.authorization).toBe('Bearer renewed');
    expect(second?.body.toString()).toBe(first?.body.toString());
    if (method === 'GET') exchange.startSse();
    else exchange.respondResult({ done: true });
    const { status, headers: sent, text, abort } = await answer;
    expect(status).toBe(200);
    expect(sent['www-authenticate']).toBeUndefined();
    if (method === 'GET') abort();
    else expect(await text()).toContain('done');
    expect(renewals).toHaveLength(1);
  });

  it('is not sent again if rules about names have changed meanwhile', async () => {
    const { url, send, integrationId } = await connected();
    const renewal = waitingRenewal();
    fixture.upstream.refuse(1);
    const answer = send(url);
    await renewal.begun;
    const before = fixture.upstream.requests.length;
    const deny = { tools: { deny: ['echo'] } };
    await fixture.api('PUT', `/integrations/${integrationId}/policy`, deny);
    expect((await answer).status).toBe(503);
    renewal.proceed();
    expect(await (await send(url)).text()).toContain('-31003');
    expect(fixture.upstream.requests).toHaveLength(before);
  });

  it('is sent no third time, and the connection says so', async () => {
    const { url, send, read, connectUrl, integrationId } = await connected();
    const before = fixture.upstream.requests.length;
    fixture.upstream.refuse(2);
    const { error } = JSON.parse(await (await send(url)).text());
    expect(error).toMatchObject({
      code: -31001,
      data: { code: 'credential_rejected', integrationId, connectUrl },
    });
    expect(error.message).toContain(connectUrl);
    expect(fixture.upstream.requests.length).toBe(before + 2);
    expect(renewals).toHaveLength(1);
    // Written behind the call.
    const rejected = { connected: true, reason: 'rejected_upstream' };
    await expect.poll(read, { timeout: 30_000 }).toMatchObject(rejected);
  });

  it('is sent again while each renewed one expires on the way, and nothing is recorded', async () => {
    renew = async (rejected) => ({ ...renewed(rejected), expiresAt: Date.now() - 1 });
    const { url, send, read } = await connected();
    const before = fixture.upstream.requests.length;
    fixture.upstream.refuse(3);
    const answer = send(url);
    (await fixture.upstream.nextRequest()).respondResult({ done: true });
    expect(await (await answer).text()).toContain('done');
    expect(fixture.upstream.requests.length).toBe(before + 4);
    fixture.upstream.refuse(5);
    const { status, headers, text } = await send(url);
    expect([status, await text()]).toEqual([
      503,
      expect.stringContaining('credential_unavailable'),
    ]);
    expect(headers['retry-after']).toBe('5');
    expect(fixture.upstream.requests.length).toBe(before + 9);
    // Reports are written in order.
    const other = await connected();
    renew = async () => undefined;
    fixture.upstream.refuse(1);
    await other.send(other.url);
    await expect.poll(other.read, { timeout: 30_000 }).toHaveProperty('reason');
    expect(await read()).not.toHaveProperty('reason');
  });

  it.each([
    ['nothing', () => Promise.resolve(undefined)],
    ['an error', () => Promise.reject(new Error('no database'))],
  ])('is refused when renewing gives %s', async (_name, outcome) => {
    renew = outcome;
    const { url, send } = await connected();
    const before = fixture.upstream.requests.length;
    fixture.upstream.refuse(1);
    const { error } = JSON.parse(await (await send(url)).text());
    expect(error.data.code).toBe('credential_rejected');
    expect(fixture.upstream.requests.length).toBe(before + 1);
  });

  it('is refused for the reason that renewing gives', async () => {
    renew = async () => ({ kind: 'needs_user', reason: 'needs_reauth' });
    const { url, send, connectUrl } = await connected();
    fixture.upstream.refuse(1);
    const { error } = JSON.parse(await (await send(url)).text());
    expect(error).toMatchObject({
      message: expect.stringContaining(`Open ${connectUrl}`),
      data: { code: 'connection_required', reason: 'needs_reauth', connectUrl },
    });
  });

  it('must be sent again by its client if its body was relayed as it arrived', async () => {
    const { url, send, integrationId } = await connected();
    const before = fixture.upstream.requests.length;
    fixture.upstream.refuse(1);
    const chunked = { 'transfer-encoding': 'chunked', 'content-length': [] };
    const { error } = JSON.parse(await (await send(url, { headers: chunked })).text());
    expect(error.data).toEqual({ code: 'credential_rejected', integrationId, retry: true });
    expect(fixture.upstream.requests.length).toBe(before + 1);
    fixture.upstream.refuse(1);
    const long = { ...CALL, params: { text: 'x'.repeat(300_000) } };
    const { status, text } = await send(url, { body: long });
    expect(status).toBe(403);
    expect(JSON.parse(await text()).detail).toContain('send the request again');
  });

  it('begins one session, not two', async () => {
    const { url, send, integrationId } = await connected();
    fixture.upstream.refuse(1);
    const answer = send(url);
    (await fixture.upstream.nextRequest()).respondResult(
      {},
      { 'Mcp-Session-Id': 'of-the-upstream' },
    );
    expect((await answer).headers['mcp-session-id']).toMatch(/^[\w-]{43}$/);
    const { body } = await fixture.api('GET', `/applications/${fixture.applicationId}/sessions`);
    const own = body.items.filter(
      (item: { integrationId: string }) => item.integrationId === integrationId,
    );
    expect(own).toMatchObject([{ state: 'open' }]);
  });
});

describe('while a credential is renewed', () => {
  it('a client may leave, and nothing more is sent', async () => {
    const { url, send } = await connected();
    const { begun, proceed } = waitingRenewal();
    const leaving = new AbortController();
    const before = fixture.upstream.requests.length;
    fixture.upstream.refuse(1);
    const answer = send(url, { signal: leaving.signal });
    answer.catch(() => {});
    await begun;
    leaving.abort();
    const left = 'outcome="client_left",era="legacy",status="none"} 1';
    await expect.poll(() => gateway.metrics.registry.metrics()).toContain(left);
    proceed();
    renew = async () => undefined;
    const other = send(url);
    (await fixture.upstream.nextRequest()).respondResult({});
    await other;
    expect(fixture.upstream.requests.length).toBe(before + 2);
  });

  it('a person may disconnect, and nothing more is sent', async () => {
    const { url, send, disconnect } = await connected();
    const { begun, proceed } = waitingRenewal();
    const before = fixture.upstream.requests.length;
    fixture.upstream.refuse(1);
    const answer = send(url);
    await begun;
    await disconnect();
    expect((await answer).status).toBe(403);
    proceed();
    expect(fixture.upstream.requests.length).toBe(before + 1);
  });

  it('the client learns the outcome, though the connection changes in between', async () => {
    const { integrationId, userId, url, send } = await connected();
    renew = async () => {
      await fixture.server.store.transaction(async (tx) => {
        const data = { destination: 'https://elsewhere.example' };
        await tx.db.connection.updateMany({ where: { integrationId }, data });
        tx.announce({ kind: 'connection', id: `${integrationId}:${userId}` });
      });
      // Meanwhile the call is admitted again, which finds no credential.
      for (let count = 0; count < 5; count += 1) await fixture.api('GET', '/members');
      return { kind: 'needs_user', reason: 'needs_reauth' };
    };
    fixture.upstream.refuse(1);
    const answer = await send(url);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('needs_reauth');
  });

  it('the call has its deadline', async () => {
    const rejecting = await listen((req, res) => {
      req.resume().on('end', () => res.writeHead(401, { 'content-length': 0 }).end());
    });
    const { integrationId, send } = await connected({ url: rejecting.origin });
    // Long enough to get there on a busy machine.
    const short = await start({ callDeadline: 4_000 });
    const { begun, proceed } = waitingRenewal();
    const answer = send(fixture.urlOf(integrationId, short.origin));
    await begun;
    expect((await answer).status).toBe(504);
    proceed();
    await short.close();
    await rejecting.close();
  });

  it('a gateway that closes waits for the call', async () => {
    const { integrationId, send } = await connected();
    const closing = await start();
    const { begun, proceed } = waitingRenewal();
    fixture.upstream.refuse(1);
    const answer = send(fixture.urlOf(integrationId, closing.origin));
    await begun;
    const closed = closing.gateway.close();
    proceed();
    (await fixture.upstream.nextRequest()).respondResult({ done: true });
    expect(await (await answer).text()).toContain('done');
    await closed;
    await closing.close();
  });
});

describe('a stream', () => {
  const open = async () => {
    const person = await connected();
    const answer = person.send(person.url, { headers: MODERN });
    const exchange = await fixture.upstream.nextRequest();
    exchange.startSse();
    await exchange.sendEvent({ data: 'hello' });
    const stream = await answer;
    await stream.received('hello');
    return { ...person, exchange, stream };
  };

  it('stays when the credential of its connection is renewed', async () => {
    const { integrationId, userId, exchange, stream, send, url } = await open();
    await fixture.server.store.transaction(async (tx) => {
      await tx.db.connection.updateMany({ where: { integrationId }, data: { displayName: 'me' } });
      tx.announce({ kind: 'connection', id: `${integrationId}:${userId}` });
    });
    const other = send(url);
    (await fixture.upstream.nextRequest()).respondResult({});
    await other;
    await exchange.sendEvent({ data: 'still here' });
    await stream.received('still here');
    stream.abort();
  });

  it.each(['disconnects', 'connects again'])('ends when the person %s', async (what) => {
    const { exchange, stream, connect, disconnect } = await open();
    await (what === 'disconnects' ? disconnect() : connect('another'));
    await stream.text();
    expect(await exchange.closed).toBe('aborted');
  });
});
