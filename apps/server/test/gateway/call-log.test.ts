import { describe, expect, it } from 'vitest';
import { createLogger } from '../../src/platform/logging.ts';
import { clientOf, MODERN, startGateway, useFixture } from './fixture.ts';

const fixture = useFixture();

function logged(level: 'info' | 'debug') {
  const lines: string[] = [];
  const log = createLogger(level, { write: (line) => lines.push(line) });
  return { log, lines: () => lines.map((line) => JSON.parse(line)), text: () => lines.join('') };
}

/** Two calls: one that succeeds, and one by an unknown caller. */
async function callTwice(level: 'info' | 'debug') {
  const { log, ...written } = logged(level);
  const gateway = await startGateway(fixture.server.store, { log });
  const { token } = await fixture.server.addMember('member');
  const integrationId = await fixture.integrate({ authMode: 'none' });
  const url = fixture.urlOf(integrationId, gateway.origin);
  const answer = clientOf(token)(`${url}?hush=hush`, { headers: MODERN });
  (await fixture.upstream.nextRequest()).respondResult({ text: 'hush' });
  await (await answer).text();
  await (await clientOf('gh_pat_hush')(url, { headers: MODERN })).text();
  await gateway.close();
  return { ...written, integrationId, token };
}

describe('the access log of the gateway', () => {
  it('has every call at level debug, without anything that was sent', async () => {
    const { lines, text, integrationId, token } = await callTwice('debug');
    expect(lines()).toMatchObject([
      {
        msg: 'call',
        method: 'POST',
        era: 'modern',
        outcome: 'relayed',
        status: 200,
        integrationId,
      },
      { msg: 'call', outcome: 'refused', status: 401, address: '192.0.2.1' },
    ]);
    expect(lines()[0]).not.toHaveProperty('address');
    expect(text()).not.toContain('hush');
    expect(text()).not.toContain(token);
  });

  it('has only refused callers at level info, with their address', async () => {
    const { lines } = await callTwice('info');
    expect(lines()).toMatchObject([{ level: 'info', status: 401, address: '192.0.2.1' }]);
  });
});
