import { type ScriptedUpstream, startScriptedUpstream } from '@gatehouse/testing';
import pino from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createMetrics } from '../../src/platform/metrics.ts';
import { startTelemetry, type Telemetry } from '../../src/telemetry/start-telemetry.ts';
import { readExposition } from '../support/exposition.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { type OtlpReceiver, startOtlpReceiver } from './otlp-receiver.ts';

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT_ID = '00f067aa0ba902b7';
const SAMPLED = `00-${TRACE_ID}-${PARENT_ID}-01`;
const ROUTE = '/mcp/:applicationId/:integrationId';
const BODY = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"hush-hush"}}';

let receiver: OtlpReceiver;
beforeEach(async () => {
  receiver = await startOtlpReceiver();
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', receiver.url);
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await receiver.close();
  });
});

/** @param warnings get the lines of this one alone: an earlier one may still be trying to send */
async function start(metrics = createMetrics(), warnings: object[] = []): Promise<Telemetry> {
  const write = (line: string) => void warnings.push(JSON.parse(line));
  const log = pino({ level: 'warn' }, { write });
  const { registry } = metrics;
  const options = { environment: process.env, registry, version: '1.2.3', log };
  const telemetry = await startTelemetry(options);
  if (telemetry === undefined) throw new Error('Nothing is sent.');
  return telemetry;
}

describe('traces', () => {
  let upstream: ScriptedUpstream;
  let telemetry: Telemetry;
  let server: TestServer;
  let path: string;

  beforeAll(async () => {
    upstream = await startScriptedUpstream();
  });
  afterAll(() => upstream.close());
  beforeEach(async () => {
    telemetry = await start();
    server = await startTestServer({ tracing: telemetry.tracing });
    onTestFinished(() => server.close());
    const body = { name: 'Docs', url: `${upstream.url}?of=query-secret` };
    const integration = await server.call('POST', '/integrations', { body });
    const application = await server.call('POST', '/applications', {
      body: { name: 'Agent', oauth: { type: 'public', redirectUris: ['http://localhost/cb'] } },
    });
    const ids = [application.body.application.id, integration.body.integration.id];
    await server.call('POST', `/applications/${ids[0]}/integrations/${ids[1]}`);
    path = `/mcp/${ids.join('/')}`;
    upstream.otherwise((exchange) => exchange.respondResult({}));
  });

  const call = (headers: Record<string, string> = {}) =>
    fetch(`${server.origin}${path}?token=in-the-query`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${server.owner}`,
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        'mcp-protocol-version': '2025-11-25',
        ...headers,
      },
      body: BODY,
    });

  /** Of what was sent until now. */
  async function spans() {
    await telemetry.close();
    return receiver.spans().filter(({ name }) => !name.includes('/api/'));
  }

  it('have a span of the call in the trace of its client, and in it one of the request upstream', async () => {
    const response = await call({ traceparent: SAMPLED, tracestate: 'vendor=state-secret' });
    expect(response.status, await response.text()).toBe(200);
    const [client, own] = await spans();
    expect(own).toMatchObject({
      traceId: TRACE_ID,
      parentId: PARENT_ID,
      name: `POST ${ROUTE}`,
      kind: 2,
      status: 0,
    });
    expect(own?.attributes).toEqual({
      'http.request.method': 'POST',
      'http.route': ROUTE,
      'http.response.status_code': 200,
      'gatehouse.era': 'legacy',
      'gatehouse.outcome': 'relayed',
    });
    expect(client).toMatchObject({ traceId: TRACE_ID, parentId: own?.spanId, kind: 3, status: 0 });
    expect(client?.attributes).toEqual({
      'http.request.method': 'POST',
      'http.response.status_code': 200,
    });
    expect(client?.milliseconds).toBeLessThanOrEqual(own?.milliseconds ?? 0);
  });

  it('pass the context that the client sent to the upstream unchanged', async () => {
    await call({ traceparent: SAMPLED });
    expect(upstream.requests.at(-1)?.headers.traceparent).toBe(SAMPLED);
    await call();
    expect(upstream.requests.at(-1)?.headers.traceparent).toBeUndefined();
  });

  it('respect a client that does not want to be traced, and start a new trace where its context is invalid', async () => {
    await call({ traceparent: `00-${TRACE_ID}-${PARENT_ID}-00` });
    await call({ traceparent: 'nonsense' });
    const found = await spans();
    expect(found).toHaveLength(2);
    expect(found.map(({ traceId }) => traceId)).not.toContain(TRACE_ID);
  });

  it('say how a call failed', async () => {
    upstream.once((exchange) => exchange.drop());
    await call();
    await fetch(server.origin + path, { method: 'POST', body: BODY });
    const found = await spans();
    expect(found.map(({ kind, status, attributes }) => [kind, status, attributes])).toEqual([
      [3, 2, { 'http.request.method': 'POST' }],
      [2, 2, expect.objectContaining({ 'gatehouse.outcome': 'upstream_failed' })],
      [2, 0, expect.objectContaining({ 'http.response.status_code': 401 })],
    ]);
  });

  it('have a span of each management request, by its template', async () => {
    await server.call('GET', '/members?limit=1', { headers: { traceparent: SAMPLED } });
    await fetch(`${server.origin}/healthz`);
    await telemetry.close();
    const found = receiver.spans();
    const listed = found.find(({ traceId }) => traceId === TRACE_ID);
    expect(listed).toMatchObject({ name: 'GET /api/v1/members', parentId: PARENT_ID, kind: 2 });
    expect(listed?.attributes).toEqual({
      'http.request.method': 'GET',
      'http.route': '/api/v1/members',
      'http.response.status_code': 200,
      'gatehouse.operation': 'members.list',
    });
    expect(found.map(({ attributes }) => attributes['http.route'])).not.toContain(undefined);
  });

  it('hold no secret, no id and nothing of a query or body', async () => {
    await call({
      traceparent: SAMPLED,
      tracestate: 'vendor=state-secret',
      'x-request-id': 'mine-1',
    });
    await server.call('GET', '/me');
    await telemetry.close();
    const sent = Buffer.concat(receiver.bodies).toString('latin1');
    expect(sent).toContain(ROUTE);
    const ids = path.split('/').slice(2);
    const secrets = ['in-the-query', 'query-secret', 'state-secret', 'hush-hush', 'mine-1'];
    const hosts = [new URL(upstream.url).host, 'localhost'];
    for (const hidden of [server.owner, ...ids, ...secrets, ...hosts]) {
      expect(sent).not.toContain(hidden);
    }
  });
});

describe('metrics', () => {
  it('are those of /metrics, by the same names, with the node that sends them', async () => {
    vi.stubEnv('OTEL_SERVICE_NAME', 'mcp-gateway');
    vi.stubEnv('OTEL_RESOURCE_ATTRIBUTES', 'deployment.environment.name=production');
    vi.stubEnv('OTEL_EXPORTER_OTLP_HEADERS', 'x-collector-key=k1');
    const metrics = createMetrics();
    const server = await startTestServer({}, undefined, undefined, metrics);
    onTestFinished(() => server.close());
    const telemetry = await start(metrics);
    await server.call('GET', '/me');
    const headers = { authorization: `Bearer ${server.owner}` };
    const text = await (await fetch(`${server.origin}/metrics`, { headers })).text();
    await telemetry.close();
    const types: Record<string, number> = { gauge: 5, counter: 7, histogram: 9 };
    const expected = readExposition(text).map(({ name, type }) => `${name} ${types[type]}`);
    const sent = receiver.metrics().map(({ name, type }) => `${name} ${type}`);
    expect([...new Set(sent)].sort()).toEqual(expected.sort());
    const requests = receiver
      .metrics()
      .find(({ name }) => name === 'gatehouse_http_request_seconds');
    expect(requests?.points).toBeGreaterThan(0);
    expect(receiver.resources().at(-1)).toMatchObject({
      'service.name': 'mcp-gateway',
      'service.version': '1.2.3',
      'service.instance.id': expect.stringMatching(/^[\w-]{36}$/),
      'deployment.environment.name': 'production',
    });
    expect(receiver.headers.at(-1)).toMatchObject({ 'x-collector-key': 'k1' });
  });
});

describe('a collector', () => {
  it.each([
    ['refuses', 400],
    ['does not answer', undefined],
  ])('that %s is logged once, and keeps nobody waiting', async (_what, answer) => {
    vi.stubEnv('OTEL_BSP_SCHEDULE_DELAY', '50');
    vi.stubEnv('OTEL_EXPORTER_OTLP_TIMEOUT', '400');
    vi.stubEnv('OTEL_METRICS_EXPORTER', 'none');
    receiver.answer = answer;
    const warnings: object[] = [];
    const telemetry = await start(createMetrics(), warnings);
    const server = await startTestServer({ tracing: telemetry.tracing });
    onTestFinished(() => server.close());
    for (let count = 0; count < 3; count += 1) {
      expect((await server.call('GET', '/me')).status).toBe(200);
      await vi.waitUntil(() => receiver.bodies.length > count, { timeout: 30_000 });
    }
    await vi.waitUntil(() => warnings.length > 0, { timeout: 30_000 });
    const begun = performance.now();
    await telemetry.close();
    expect(performance.now() - begun).toBeLessThan(10_000);
    expect(warnings).toMatchObject([
      { msg: 'traces or metrics were not taken by their collector' },
    ]);
  });
});
