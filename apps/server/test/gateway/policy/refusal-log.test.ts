import { expect, it } from 'vitest';
import { createLogger } from '../../../src/platform/logging.ts';
import { CALL, clientOf, STATELESS, startGateway } from '../fixture.ts';
import { useRules } from './fixture.ts';

const { fixture, ids, setRules } = useRules();

/** A gateway, and the lines about refusals that it has written at the level info. */
async function start() {
  const lines: string[] = [];
  const log = createLogger('info', { write: (line) => void lines.push(line) });
  const gateway = await startGateway(fixture.server.store, { log });
  return {
    gateway,
    text: () => lines.join(''),
    refusals: () =>
      lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'refused by policy'),
    send: (options: Parameters<ReturnType<typeof clientOf>>[1]) =>
      clientOf(fixture.server.owner)(fixture.urlOf(ids.integrationId, gateway.origin), options),
  };
}

const line = (fields: object) => ({
  level: 'info',
  userId: expect.any(String),
  applicationId: fixture.applicationId,
  integrationId: ids.integrationId,
  ...fields,
});

it('a call that rules about names refuse is one line, without what the client has sent', async () => {
  await setRules({ tools: { deny: ['*'] }, prompts: { allow: [] } });
  const { gateway, refusals, text, send } = await start();
  const secret = { name: 'hush', arguments: { hush: 'hush' } };
  const batch = ['a', 'b'].map((id) => ({ ...CALL, id, params: secret }));
  const prompt = { ...CALL, method: 'prompts/get', params: secret };
  const headers = { 'x-request-id': 'request-of-a-test' };
  await (await send({ body: [...batch, prompt], headers })).text();
  const reasons = ['integration: tool_denied', 'integration: prompt_not_allowed'];
  expect(refusals()).toMatchObject([
    line({ requestId: 'request-of-a-test', method: 'POST', reasons }),
  ]);
  expect(text()).not.toContain('hush');
  await gateway.close();
});

it('a call that rules about people refuse is a line, and so is an open one that they end', async () => {
  await setRules(null);
  const { gateway, refusals, send } = await start();
  const arriving = fixture.upstream.nextRequest();
  const stream = send({ method: 'GET', headers: STATELESS });
  (await arriving).startSse();
  const open = await stream;
  await setRules({ roles: ['member'] });
  await open.text();
  expect((await send({})).status).toBe(403);
  const reasons = ['integration: role_or_group'];
  expect(refusals()).toMatchObject([
    line({ method: 'GET', reasons }),
    line({ method: 'POST', reasons }),
  ]);
  await gateway.close();
});
