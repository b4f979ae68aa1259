import type { Exchange } from '@gatehouse/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { use } from '../../support/use.ts';
import { modernRequest } from '../connect-fixture.ts';
import { useFixture } from '../fixture.ts';
import { newApplication, openClient } from './aggregate-client.ts';
import { startScriptedServer } from './scripted-server.ts';

const fixture = useFixture();
const server = use(() => startScriptedServer('any'));

const VERSIONS = { legacy: '2025-11-25', modern: '2026-07-28' } as const;

const EVENTS = 512;
const EVENT = {
  method: 'notifications/message',
  params: { level: 'error', data: 'x'.repeat(64 * 1024) },
};

/** Bytes that may be on their way in the sockets of all sides, and in the gateway. */
const ON_THE_WAY = 16 * 1024 * 1024;

let url: string;

beforeAll(async () => {
  const applicationId = await newApplication(fixture);
  url = `${fixture.server.origin}/mcp/${applicationId}`;
  for (const era of ['legacy', 'modern'] as const) {
    const at = `${server.url}/${era}`;
    const id = await fixture.integrate({ name: era, url: at });
    const spokenEras = { url: at, legacy: null, modern: null, [era]: VERSIONS[era] };
    await fixture.server.store.db.integration.update({ where: { id }, data: { spokenEras } });
    await fixture.api('POST', `/applications/${applicationId}/integrations/${id}`);
  }
});

async function streamAll(exchange: Exchange): Promise<void> {
  exchange.startSse();
  for (let count = 0; count < EVENTS; count += 1) {
    await exchange.sendEvent({ data: { jsonrpc: '2.0', ...EVENT } });
  }
  await exchange.sendEvent({ data: { jsonrpc: '2.0', id: exchange.message?.id, result: {} } });
  exchange.end();
}

describe.each([
  ['legacy', 'legacy'],
  ['modern', 'modern'],
  ['legacy', 'modern'],
] as const)('a %s client that does not read', (client, upstream) => {
  it(`slows down a stream of a ${upstream} integration, and gets all of it once it reads`, async () => {
    let exchange: Exchange | undefined;
    server.on('tools/call', (received) => {
      exchange = received;
      return streamAll(received);
    });
    const { headers, send } = await openClient(url, fixture.server.owner, client);
    const params = { name: `${upstream}__echo`, arguments: {} };
    const body = { jsonrpc: '2.0', id: 5, method: 'tools/call', params };
    const isModern = client === 'modern';
    const { stream } = await send(
      isModern ? modernRequest('tools/call', params) : { headers, body },
    );
    let previous = -1;
    for (let still = 0; still < 5; still += 1) {
      const sent = exchange?.sentBytes ?? 0;
      if (sent !== previous) still = 0;
      previous = sent;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(previous).toBeGreaterThan(0);
    expect(previous).toBeLessThan(ON_THE_WAY);
    let size = 0;
    for await (const chunk of stream) size += chunk.length;
    expect(size).toBeGreaterThan(EVENTS * EVENT.params.data.length);
  });
});
