import { describe, expect, it } from 'vitest';
import { createCallLog, type LoggedCall } from '../../src/gateway/call-log.ts';
import { createLogger } from '../../src/platform/logging.ts';
import { CALL, clientOf, MODERN, startGateway, useFixture } from './fixture.ts';

const fixture = useFixture();

function logged(level: 'info' | 'debug') {
  const lines: string[] = [];
  const log = createLogger(level, { write: (line) => lines.push(line) });
  return { log, lines: () => lines.map((line) => JSON.parse(line)), text: () => lines.join('') };
}

/** Two calls: one that succeeds, and one of somebody who is not known. */
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

  it('has a share of the calls', () => {
    const { log, lines } = logged('debug');
    const call = {
      requestId: CALL.method,
      req: {},
      era: 'modern',
      startedAt: 0,
    } as unknown as LoggedCall;
    const of = (percent: number) => createCallLog({ log, percent, addressOf: () => '' });
    for (let count = 0; count < 100; count += 1) of(0).ended(call, 'relayed', 200);
    expect(lines()).toEqual([]);
    for (let count = 0; count < 1_000; count += 1) of(30).ended(call, 'relayed', 200);
    expect(lines().length).toBeGreaterThan(100);
    expect(lines().length).toBeLessThan(600);
  });
});
