import { beforeEach, describe, expect, it } from 'vitest';
import { use } from '../../support/use.ts';
import { useFixture } from '../fixture.ts';
import { type AggregateClient, newApplication, openClient } from './aggregate-client.ts';
import { startScriptedServer, toolOf } from './scripted-server.ts';

/** Milliseconds after which one that hangs has been waited for. */
const WAITED = 2_500;

const fixture = useFixture();
const [healthy, hanging] = [
  use(() => startScriptedServer('healthy')),
  use(() => startScriptedServer('hanging')),
];
let applicationId: string;
let client: AggregateClient;

async function attach(name: string, fields: Record<string, unknown>): Promise<string> {
  const id = await fixture.integrate({ name, ...fields });
  await fixture.api('POST', `/applications/${applicationId}/integrations/${id}`);
  return id;
}

async function timed<T>(work: Promise<T>): Promise<[T, number]> {
  const begun = performance.now();
  return [await work, performance.now() - begun];
}

const states = async () => (await client.listTools()).states;
const open = (era: 'legacy' | 'modern' = 'modern') =>
  openClient(`${fixture.server.origin}/mcp/${applicationId}`, fixture.server.owner, era);

beforeEach(async () => {
  applicationId = await newApplication(fixture);
  healthy.onAll(undefined);
  healthy.on('tools/list', undefined);
  hanging.onAll(() => {});
});

describe('one that hangs', () => {
  let hangingId: string;
  beforeEach(async () => {
    hangingId = await attach('hanging', { url: hanging.url });
    await attach('healthy', { url: healthy.url });
    client = await open();
  });

  it('is waited for once, whatever list is read then', async () => {
    const [, first] = await timed(client.listTools());
    expect(first).toBeGreaterThan(WAITED);
    for (const method of ['prompts/list', 'resources/list', 'resources/templates/list']) {
      const [{ body }, time] = await timed(client.ask(method));
      expect(time, method).toBeLessThan(WAITED);
      expect(body.result._meta['gatehouse/integrations'][0].state).toBe('late');
    }
  });

  it('delays the first read of a resource once', async () => {
    healthy.on('resources/templates/list', ({ respondResult }) =>
      respondResult({ resourceTemplates: [{ name: 'page', uriTemplate: 'page://{name}' }] }),
    );
    healthy.on('resources/read', ({ respondResult }) => respondResult({ contents: [] }));
    const [{ body }, time] = await timed(client.ask('resources/read', { uri: 'page://one' }));
    expect(body.result).toMatchObject({ contents: [] });
    expect(time).toBeLessThan(2 * WAITED);
  });

  it('is not waited for again after a change that does not mend it', async () => {
    await states();
    for (const [path, change] of [
      [`/applications/${applicationId}`, { name: 'Renamed' }],
      [`/integrations/${hangingId}`, { name: 'Renamed' }],
      [`/applications/${applicationId}/integrations/${hangingId}`, { alias: 'other' }],
    ] as const) {
      await fixture.api('PATCH', path, change);
      const [, time] = await timed(client.listTools());
      expect(time, path).toBeLessThan(WAITED);
    }
  });
});

it('one that hung and has another URL now is waited for', async () => {
  const id = await attach('hanging', { url: hanging.url });
  client = await open();
  expect(await states()).toEqual({ hanging: 'late 0' });
  await fixture.api('PATCH', `/integrations/${id}`, { url: healthy.url });
  expect(await states()).toEqual({ hanging: 'ok 1' });
});

describe('the last list of one that fails', () => {
  let id: string;
  beforeEach(async () => {
    const fields = { url: healthy.url, authMode: 'server_token', serverToken: 'one' };
    id = await attach('healthy', fields);
    client = await open('legacy');
    await states();
    healthy.on('tools/list', ({ respond }) => respond({ status: 500 }));
  });

  it('is kept when names change, and is not fresh any more', async () => {
    await fixture.api('PATCH', `/applications/${applicationId}/integrations/${id}`, {
      alias: 'new',
    });
    expect(await client.listTools()).toEqual({
      names: ['new__echo'],
      states: { new: 'stale 1' },
    });
  });

  it.each([
    ['its URL', () => fixture.api('PATCH', `/integrations/${id}`, { url: `${healthy.url}/2` })],
    ['its credential', () => fixture.api('PATCH', `/integrations/${id}`, { serverToken: 'two' })],
    [
      'its rules',
      () => fixture.api('PUT', `/integrations/${id}/policy`, { tools: { deny: ['x'] } }),
    ],
  ])('goes when %s changes', async (_name, change) => {
    await change();
    expect(await states()).toEqual({ healthy: 'failed 0' });
  });
});

it('those that were late come last where there are more than places', async () => {
  const late = await Promise.all(
    Array.from({ length: 32 }, (_, index) =>
      fixture.integrate({ name: `late-${index}`, url: hanging.url }),
    ),
  );
  for (const id of late) {
    await fixture.api('POST', `/applications/${applicationId}/integrations/${id}`);
  }
  const healthyId = await attach('healthy', { url: healthy.url });
  client = await open();
  await states();
  const change = (id: string, fields: object) =>
    fixture.api('PATCH', `/integrations/${id}`, fields);
  await Promise.all(late.map((id) => change(id, { url: `${hanging.url}/2` })));
  await change(healthyId, { name: 'Renamed' });
  const before = hanging.requests.length;
  const asked = () => hanging.requests.length - before;
  let askedBefore = 0;
  healthy.on('tools/list', ({ respondResult }) => {
    askedBefore = asked();
    respondResult({ tools: [toolOf('echo')] });
  });
  expect(await states()).toMatchObject({ 'late-0': 'late 0', healthy: 'ok 1' });
  expect(askedBefore).toBeLessThan(asked() / 2);
}, 60_000);

it('a tool that has come with a change is there at once', async () => {
  const id = await attach('healthy', { url: healthy.url });
  client = await open();
  await states();
  healthy.on('tools/list', ({ respondResult }) =>
    respondResult({ tools: [toolOf('echo'), toolOf('new')] }),
  );
  expect(await states()).toEqual({ healthy: 'ok 1' });
  await fixture.api('PATCH', `/integrations/${id}`, { name: 'Renamed' });
  expect(await states()).toEqual({ healthy: 'ok 2' });
});
