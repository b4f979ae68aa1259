import type { LaunchedGatehouse } from '@gatehouse/harness';
import type { IdentityProvider } from '@gatehouse/testing';
import { expect } from 'vitest';
import { type Answer, Browser, hiddenFieldsOf, PASSWORD } from '../../support/browser.ts';
import { createApi } from './api.ts';
import { noteSecret } from './logs.ts';
import type { TestMember, TestRoute } from './routes.ts';

/** A member who connects an account at a provider with a browser; what is secret of it is noted. */
export interface ConnectingMember {
  readonly browser: Browser;
  /** Follows a new link to connect, on to the provider. @returns where it is asked for the account */
  leave(): Promise<URL>;
  /** Opens the callback, and the page to which it leads. */
  comeBack(answer: URL, status: number): Promise<Answer>;
}

export async function startConnecting(
  server: LaunchedGatehouse,
  route: TestRoute,
  member: TestMember,
): Promise<ConnectingMember> {
  const browser = await signIn(server, member);
  return {
    browser,
    async leave() {
      const path = await linkOf(server, route, member);
      const { text } = await browser.open(path);
      noteSecret('a form token', hiddenFieldsOf(text).form_token ?? '');
      const left = await browser.submit(path, { decision: 'connect' });
      expect(left.status, left.text).toBe(303);
      const url = new URL(left.headers.get('location') ?? '');
      noteSecret('a state', url.searchParams.get('state') ?? '');
      return url;
    },
    async comeBack(answer, status) {
      noteSecret('a code', answer.searchParams.get('code') ?? '');
      const callback = await browser.open(answer.pathname + answer.search);
      expect(callback.status, callback.text).toBe(303);
      const shown = await browser.open(callback.headers.get('location') ?? '');
      expect(shown.status, shown.text).toBe(status);
      return shown;
    },
  };
}

async function signIn(server: LaunchedGatehouse, { id }: TestMember): Promise<Browser> {
  const { body } = await createApi(server).expect(201, 'POST', `/members/${id}/sign-in-link`);
  const { pathname } = new URL(body.url);
  noteSecret('a sign-in link', pathname);
  const browser = new Browser(server);
  const chosen = await browser.submit(pathname, { password: PASSWORD, repeated: PASSWORD });
  expect(chosen.status, chosen.text).toBe(303);
  return browser;
}

/** The path of a link to connect with. */
async function linkOf(
  server: LaunchedGatehouse,
  { integrationId }: TestRoute,
  { token }: TestMember,
): Promise<string> {
  const path = `/integrations/${integrationId}/connection/authorize`;
  const { body } = await createApi(server).expect(201, 'POST', path, { token });
  const { pathname } = new URL(body.authorizationUrl);
  noteSecret('a link to connect with', pathname.split('/')[2] ?? '');
  return pathname;
}

/** The cookies, and all that went to the provider and came from it. */
export function noteSecretsOf(provider: IdentityProvider, browser: Browser): void {
  const issued = provider.issuedSecrets();
  expect(issued.length).toBeGreaterThan(4);
  for (const secret of issued) noteSecret('a secret of the provider', secret);
  for (const { form } of provider.requests('token')) {
    noteSecret('a code', form.get('code') ?? '');
    noteSecret('a code verifier', form.get('code_verifier') ?? '');
  }
  for (const [name, value] of browser.cookies) noteSecret(`the cookie ${name}`, value);
}
