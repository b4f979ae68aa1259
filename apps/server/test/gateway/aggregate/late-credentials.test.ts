import { expect, it } from 'vitest';
import { use } from '../../support/use.ts';
import { startGateway, useFixture } from '../fixture.ts';
import { newApplication, openClient } from './aggregate-client.ts';
import { startScriptedServer } from './scripted-server.ts';

const fixture = useFixture();
const upstream = use(() => startScriptedServer('any'));
let slowId: string | undefined;
let release: () => void = () => {};
let held: Promise<void> = Promise.resolve();
const gateway = use(() =>
  startGateway(fixture.server.store, {
    beforeResolve: ({ integrationId }) => (integrationId === slowId ? held : Promise.resolve()),
  }),
);

it('a credential that is being renewed keeps nobody waiting', async () => {
  const applicationId = await newApplication(fixture);
  const attach = async (name: string) => {
    const id = await fixture.integrate({ name, url: upstream.url });
    await fixture.api('POST', `/applications/${applicationId}/integrations/${id}`);
    return id;
  };
  slowId = await attach('Slow');
  await attach('Good');
  held = new Promise((resolve) => {
    release = resolve;
  });
  const { owner } = fixture.server;
  const client = await openClient(`${gateway.origin}/mcp/${applicationId}`, owner, 'modern');
  const list = async () => {
    const begun = performance.now();
    const { states } = await client.listTools();
    return { states, time: performance.now() - begun };
  };
  const first = await list();
  expect(first.states).toEqual({ slow: 'late 0', good: 'ok 1' });
  expect(first.time).toBeLessThan(4_000);
  const second = await list();
  expect(second.states).toEqual(first.states);
  expect(second.time).toBeLessThan(500);
  release();
  await expect.poll(async () => (await list()).states).toEqual({ slow: 'ok 1', good: 'ok 1' });
});
