import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CredentialOutcome } from '../../../../src/credentials/outcome.ts';
import {
  fails,
  hangs,
  type Listed,
  lists,
  stopTime,
  TestApplication,
  type TestIntegration,
  timed,
  toolOf,
} from './application.ts';

/** Milliseconds after which one that hangs has been waited for. */
const WAITED = 2_500;

let application: TestApplication;

beforeEach(() => {
  stopTime();
  application = new TestApplication();
});
afterEach(() => void vi.useRealTimers());

const listTools = (): Promise<readonly [Listed, number]> =>
  timed(application.list(application.client('modern'), 'tools'));
const states = async () => (await listTools())[0].states;

describe('an integration that hangs', () => {
  let hanging: TestIntegration;
  let healthy: TestIntegration;
  beforeEach(() => {
    hanging = application.attach('hanging');
    hanging.onAll(hangs);
    healthy = application.attach('healthy');
  });

  it('is waited for once, whatever list is read then', async () => {
    const [, first] = await listTools();
    expect(first).toBeGreaterThan(WAITED);
    for (const list of ['prompts', 'resources', 'resourceTemplates'] as const) {
      const [{ states }, time] = await timed(application.list(application.client('modern'), list));
      expect(time, list).toBeLessThan(WAITED);
      expect(states.hanging).toBe('late 0');
    }
  });

  it('delays the first read of a resource once', async () => {
    const page = { name: 'page', uriTemplate: 'page://{name}' };
    healthy.on('resourceTemplates', lists('resourceTemplates', page));
    const client = application.client('modern');
    const reading = application.target(client, 'resources/read', { uri: 'page://one' });
    const [target, time] = await timed(reading);
    expect(target).toMatchObject({ alias: 'healthy' });
    expect(time).toBeLessThan(2 * WAITED);
  });

  it.each([
    ['the name of its application', () => {}],
    ['its own name', () => hanging.change({ integrationName: 'Renamed' })],
    [
      'its alias',
      () => {
        hanging.alias = 'other';
        hanging.change();
      },
    ],
  ])('is not waited for again after a change of %s', async (_, change) => {
    await states();
    change();
    application.change();
    const [{ states: later }, time] = await listTools();
    expect(time).toBeLessThan(WAITED);
    expect(later).toMatchObject({ [hanging.alias]: 'late 0' });
  });

  it('is waited for once it has another URL', async () => {
    expect(await states()).toEqual({ hanging: 'late 0', healthy: 'ok 1' });
    hanging.on('tools', lists('tools', toolOf('echo')));
    hanging.change({ url: healthy.route.target.url });
    expect(await states()).toEqual({ hanging: 'ok 1', healthy: 'ok 1' });
  });
});

describe('the last list of an integration that fails', () => {
  let integration: TestIntegration;
  const tokenOf = (token: string): CredentialOutcome => {
    const headers = [['authorization', `Bearer ${token}`]] as const;
    return { kind: 'ready', source: 'server_token', connectionId: undefined, headers };
  };

  beforeEach(async () => {
    integration = application.attach('healthy');
    integration.credential = tokenOf('one');
    await states();
    integration.on('tools', fails);
  });

  it('is kept when names change, and is not fresh any more', async () => {
    integration.alias = 'new';
    integration.change();
    application.change();
    const [{ names, states }] = await listTools();
    expect({ names, states }).toEqual({ names: ['new__echo'], states: { new: 'stale 1' } });
  });

  it.each([
    ['its URL', () => integration.change({ url: `${integration.route.target.url}2` })],
    [
      'its credential',
      () => {
        integration.credential = tokenOf('two');
      },
    ],
    ['its rules', () => integration.setRules({ tools: { deny: ['x'] } })],
  ])('goes when %s changes', async (_, change) => {
    change();
    expect(await states()).toEqual({ healthy: 'failed 0' });
  });
});

it('integrations that were late come last where there are more than places', async () => {
  const late = Array.from({ length: 32 }, (_, index) => application.attach(`late-${index}`));
  for (const one of late) one.on('tools', hangs);
  const healthy = application.attach('healthy');
  await states();
  for (const one of late) one.change({ url: `${one.route.target.url}2` });
  healthy.change({ integrationName: 'Renamed' });
  application.change();
  const asked = () => late.reduce((sum, one) => sum + one.asked.length, 0);
  const before = asked();
  let askedBefore = 0;
  healthy.on('tools', () => {
    askedBefore = asked() - before;
    return { tools: [toolOf('echo')] };
  });
  expect(await states()).toMatchObject({ 'late-0': 'late 0', healthy: 'ok 1' });
  expect(askedBefore).toBeLessThan((asked() - before) / 2);
});

it('a tool that has come with a change is there at once', async () => {
  const integration = application.attach('healthy');
  await states();
  integration.on('tools', lists('tools', toolOf('echo'), toolOf('new')));
  expect(await states()).toEqual({ healthy: 'ok 1' });
  integration.change({ integrationName: 'Renamed' });
  expect(await states()).toEqual({ healthy: 'ok 2' });
});

it('a credential that is being renewed keeps nobody waiting', async () => {
  const [slow] = [application.attach('slow'), application.attach('good')];
  const { credential } = slow;
  let release = (): void => {};
  slow.credential = new Promise((resolve) => {
    release = () => resolve(credential);
  });
  const [first, time] = await listTools();
  expect(first.states).toEqual({ slow: 'late 0', good: 'ok 1' });
  expect(time).toBeLessThan(4_000);
  const [second, later] = await listTools();
  expect(second.states).toEqual(first.states);
  expect(later).toBeLessThan(500);
  release();
  await states();
  expect(await states()).toEqual({ slow: 'ok 1', good: 'ok 1' });
});
