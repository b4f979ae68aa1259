import { beforeAll, describe, expect, it } from 'vitest';
import { Browser as ClientBrowser } from '../authorization-server/browser.ts';
import {
  authorizeParameters,
  createClient,
  createPkce,
  parametersOf,
  REDIRECT_URI,
  type TestClient,
} from '../authorization-server/fixture.ts';
import { Browser } from '../support/browser.ts';
import { useServer } from '../support/server.ts';

const server = useServer();
let application: TestClient;
beforeAll(async () => {
  application = await createClient(server, { allowDynamicClients: true });
});

/** What sign-in says, without markup. */
async function said(returnTo: string): Promise<string> {
  const { text } = await new Browser(server).open(
    `/sign-in?return_to=${encodeURIComponent(returnTo)}`,
  );
  return text.slice(text.indexOf('<h1>')).replaceAll(/<[^>]*>/g, '');
}

/** Begins an authorization. @returns the path of its consent page */
async function consentPathOf(client: TestClient): Promise<string> {
  const parameters = parametersOf(authorizeParameters(client, createPkce()));
  const browser = new ClientBrowser(server.origin);
  const response = await browser.get(`/oauth/authorize?${parameters}`);
  return new URL(response.headers.get('location') ?? '', server.origin).pathname;
}

describe('the sign-in page says what a person signs in for', () => {
  it.each([
    ['/console/integrations?status=invalid', 'to use the console'],
    ['/account', 'to see your account'],
    ['/connect?integration=x', 'to connect an account of yours'],
    ['/consoles', 'Sign in to go on'],
  ])('%s', async (returnTo, purpose) => {
    expect(await said(returnTo)).toContain(purpose);
  });

  it('and names the application that asks', async () => {
    const path = await consentPathOf(application);
    expect(await said(path)).toContain('Agent asks to work for you. Sign in to decide.');
    expect(await said(`${path}/connect`)).toContain('Agent asks to work for you.');
  });

  it('and says it of a name that nobody has verified, which is text', async () => {
    const registered = await fetch(`${server.origin}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        client_name: '<b>Bank</b>',
        redirect_uris: [REDIRECT_URI],
        token_endpoint_auth_method: 'none',
      }),
    });
    const { client_id: clientId } = (await registered.json()) as { client_id: string };
    const path = await consentPathOf({ ...application, clientId });
    expect(await said(path)).toContain(
      'An application that calls itself &lt;b&gt;Bank&lt;/b&gt; asks to work for you.',
    );
  });

  it('and names nobody where no request is open, or the address only looks like one', async () => {
    const path = await consentPathOf(application);
    const others = ['/oauth/consent/none', `${path}x`, `/oauth/consent/${application.clientId}`];
    for (const other of others) {
      expect(await said(other)).toContain('An application asks to work for you.');
      expect(await said(other)).not.toContain('Agent');
    }
    expect(await said(`/account?next=${path}`)).not.toContain('Agent');
  });

  it('again after a mistake', async () => {
    const path = await consentPathOf(application);
    const browser = new Browser(server);
    const page = `/sign-in?return_to=${encodeURIComponent(path)}`;
    const { status, text } = await browser.submit(page, { email: 'a@b.example', password: 'x' });
    expect([status, text.includes('<strong>Agent</strong>')]).toEqual([403, true]);
  });
});
