import { type Answer, Browser } from '../../support/browser.ts';
import type { TestServer } from '../../support/server.ts';
import type { TestProvider } from './openid-provider.ts';

/** Lets a person visit the provider, and returns where the provider sends the browser. */
export async function visitProvider(
  provider: TestProvider,
  { origin }: Pick<TestServer, 'origin'>,
  location: string,
  account?: string,
): Promise<URL> {
  provider.state.visitor = account;
  const visitor = new Browser({ origin: provider.settings.issuer });
  let next = new URL(location);
  for (let step = 0; step < 8; step += 1) {
    if (next.origin === origin) return next;
    const { headers, text, status } = await visitor.open(next.pathname + next.search);
    const to = headers.get('location');
    if (to === null) throw new Error(`The provider stops: ${status} ${text}`);
    next = new URL(to, next);
  }
  throw new Error('The provider does not send the browser back.');
}

/** Signs a person in with a browser, from its first request to the answer of the callback. */
export async function signInAt(
  provider: TestProvider,
  server: Pick<TestServer, 'origin'>,
  browser: Browser,
  account: string,
): Promise<Answer> {
  const { headers } = await browser.open('/sign-in/external?return_to=/account');
  const url = await visitProvider(provider, server, headers.get('location') ?? '', account);
  return browser.open(url.pathname + url.search);
}
