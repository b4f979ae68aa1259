import { beforeAll, describe, expect, it } from 'vitest';
import { startTestProvider } from '../sign-in/external/openid-provider.ts';
import { signInAt } from '../sign-in/external/visit-provider.ts';
import { Browser } from '../support/browser.ts';
import { testDatabaseKind } from '../support/database.ts';
import { use } from '../support/use.ts';
import { clientOf, STATELESS, startGateway, useFixture } from './fixture.ts';

/** What holds on one node holds on the others within this many milliseconds. */
const PROMISED = 1_000;

describe.runIf(testDatabaseKind === 'postgresql')('on another node', () => {
  const provider = use(() => startTestProvider({ groupsClaim: 'groups' }));
  const fixture = useFixture(() => ({ externalSignIn: provider.settings }));
  const other = use(async () => startGateway(await fixture.server.store.openAnotherNode()));

  beforeAll(() => provider.open(`${fixture.server.origin}/sign-in/external/callback`));

  async function signIn(email: string, groups: readonly string[]): Promise<void> {
    provider.accounts.set(email, { email, email_verified: true, groups });
    const browser = new Browser(fixture.server);
    expect((await signInAt(provider, fixture.server, browser, email)).status).toBe(303);
  }

  it('a sign-in with a claim that has lost a group cuts the open stream of the person in time', async () => {
    const { id, token } = await fixture.server.addMember('member');
    const email = 'sales@example.org';
    await fixture.server.store.db.user.update({ where: { id }, data: { email } });
    const group = { name: 'Sales', externalId: 'sales' };
    const { body: made } = await fixture.api('POST', '/groups', group);
    await signIn(email, ['sales']);
    const integrationId = await fixture.integrate({ authMode: 'none' });
    const rules = { groups: [made.group.id] };
    await fixture.api('PUT', `/integrations/${integrationId}/policy`, rules);

    const url = fixture.urlOf(integrationId, other.origin);
    const send = clientOf(token);
    const opening = send(url, { method: 'GET', headers: STATELESS });
    const exchange = await fixture.upstream.nextRequest();
    exchange.startSse();
    await exchange.sendEvent({ data: 'hello' });
    const stream = await opening;
    await stream.received('hello');
    await signIn(email, ['sales', 'support']);
    expect(stream.stream.readableEnded).toBe(false);

    await signIn(email, ['support']);
    const lostAt = performance.now();
    await stream.text();
    expect(await exchange.closed).toBe('aborted');
    expect(performance.now() - lostAt).toBeLessThan(PROMISED);
    expect((await send(url)).status).toBe(403);
  });
});
