import { beforeAll, describe, expect, it, vi } from 'vitest';
import { createLogger } from '../../src/platform/logging.ts';
import { startTestProvider } from '../sign-in/external/openid-provider.ts';
import { startTestServer } from '../support/server.ts';
import { openTestStore } from '../support/store.ts';
import { use } from '../support/use.ts';
import { INPUTS } from './inputs.ts';

const lines: string[] = [];
const log = createLogger('info', { write: (line) => lines.push(line) });
const provider = use(() => startTestProvider());
const server = use(() =>
  startTestServer({ externalSignIn: provider.settings }, openTestStore, log),
);

beforeAll(() => provider.open(`${server.origin}/sign-in/external/callback`));

/** What the line of a request says of its route. */
async function loggedRoute(method: string, path: string): Promise<unknown> {
  const requestId = crypto.randomUUID();
  const headers = { 'x-request-id': requestId, origin: server.origin };
  const response = await fetch(server.origin + path, { method, headers, redirect: 'manual' });
  await response.text();
  const line = await vi.waitUntil(() => lines.find((one) => one.includes(requestId)));
  expect(line).not.toContain('hush');
  return JSON.parse(line).route;
}

describe('a request outside the management API is logged by the template of its route', () => {
  it.each(Object.entries(INPUTS))('%s', async (template, { url }) => {
    const path = `${url.replaceAll('{}', 'hush')}?state=hush`;
    for (const method of ['GET', 'POST']) {
      expect([method, await loggedRoute(method, path)]).toEqual([method, template]);
    }
  });

  it('and one of an unknown path without a route', async () => {
    for (const path of ['/hush', '/account/hush', '/connect/hush/hush', '/api/v1/hush']) {
      expect(await loggedRoute('GET', path)).toBeUndefined();
    }
  });
});
