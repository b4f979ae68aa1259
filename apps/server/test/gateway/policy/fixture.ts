import { beforeAll } from 'vitest';
import { clientOf, type SendOptions, useFixture } from '../fixture.ts';

/** An attached integration with rules, before an upstream that answers what the test says. */
export function useRules(fields: Record<string, unknown> = {}) {
  const fixture = useFixture();
  const send = clientOf(() => fixture.server.owner);
  const ids = { integrationId: '' };
  beforeAll(async () => {
    const serverToken = { authMode: 'server_token', serverToken: 'secret' };
    ids.integrationId = await fixture.integrate({ ...serverToken, ...fields });
  });
  return {
    fixture,
    ids,
    /** Of the integration: they bind every application. */
    setRules: (rules: object | null) =>
      fixture.api('PUT', `/integrations/${ids.integrationId}/policy`, rules),
    /** POSTs, and reads the response to its end. */
    async post(body: unknown, headers: SendOptions['headers'] = {}) {
      const answer = await send(fixture.urlOf(ids.integrationId), { body, headers });
      const text = await answer.text();
      return { status: answer.status, headers: answer.headers, text };
    },
    send: (options: SendOptions) => send(fixture.urlOf(ids.integrationId), options),
  };
}
