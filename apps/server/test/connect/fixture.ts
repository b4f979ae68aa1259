import type { IdentityProvider } from '@gatehouse/testing';
import { expect } from 'vitest';
import { createConnectLinks } from '../../src/credentials/connect/connect-links.ts';
import { signingIn } from '../../src/identity/actor.ts';
import type { Browser } from '../authorization-server/browser.ts';
import { signedInBrowser } from '../authorization-server/fixture.ts';
import type { TestServer } from '../support/server.ts';

/** An origin to which browsers may be sent in the end. */
export const ALLOWED_ORIGIN = 'https://app.example.com';

/** A person with a browser. */
export interface Member {
  readonly id: string;
  readonly organizationId: string;
  /** For the management API. */
  readonly token: string;
  readonly browser: Browser;
}

export async function createMember(server: TestServer): Promise<Member> {
  const { id, token } = await server.addMember('member');
  const { organizationId } = await server.store.db.user.findUniqueOrThrow({ where: { id } });
  return { id, organizationId, token, browser: await signedInBrowser(server, id) };
}

/** @returns the id */
export async function createIntegration(
  server: TestServer,
  body: Readonly<Record<string, unknown>>,
): Promise<string> {
  const created = await server.call('POST', '/integrations', {
    body: { name: 'Docs', authMode: 'oauth', ...body },
  });
  expect(created.status, created.text).toBe(201);
  return created.body.integration.id;
}

/** The path of a new link. */
export async function createLink(
  server: TestServer,
  { id: userId, organizationId }: Pick<Member, 'id' | 'organizationId'>,
  integrationId: string,
  returnTo?: string,
): Promise<string> {
  const links = createConnectLinks(server.origin);
  const link = {
    ...{ integration: { id: integrationId }, userId, returnTo },
    actor: signingIn(organizationId, userId),
  };
  const { authorizationUrl } = await server.store.transaction((tx) => links.create(tx, link));
  return new URL(authorizationUrl).pathname;
}

export const pageOf = (integrationId: string) => `/connect?integration=${integrationId}`;

/** Opens a page to connect and goes on. @returns where the browser is sent */
export async function leave({ browser }: Pick<Member, 'browser'>, path: string): Promise<URL> {
  const shown = await browser.get(path);
  const page = await shown.text();
  expect([shown.status, page], page).toEqual([200, expect.anything()]);
  const response = await browser.submit(page, { decision: 'connect' });
  expect(response.status, await response.text()).toBe(303);
  return new URL(response.headers.get('location') ?? '');
}

/** What a page says, and where it goes on by itself. */
export interface Shown {
  readonly status: number;
  readonly text: string;
  readonly title: string;
  readonly refresh: string | undefined;
}

export async function shownOf(response: Response): Promise<Shown> {
  const text = await response.text();
  const [, title = ''] = /<h1>(.*?)<\/h1>/.exec(text) ?? [];
  const [, refresh] = /<meta http-equiv="refresh" content="0; url=([^"]*)"/.exec(text) ?? [];
  return { status: response.status, text, title, refresh: refresh?.replaceAll('&amp;', '&') };
}

/** Opens a callback, and the page of ours to which it may lead. */
export async function arrive(
  { browser }: Pick<Member, 'browser'>,
  { href }: URL,
): Promise<Shown & { readonly path: string }> {
  const response = await browser.get(href);
  const path = response.headers.get('location') ?? '';
  return { ...(await shownOf(path === '' ? response : await browser.get(path))), path };
}

/** Allows it at the provider and comes back. */
export async function comeBack(
  { browser }: Pick<Member, 'browser'>,
  provider: IdentityProvider,
  url: URL,
): Promise<Shown> {
  return arrive({ browser }, await provider.approve(url));
}

/** The whole way. */
export async function connect(
  member: Pick<Member, 'browser'>,
  provider: IdentityProvider,
  path: string,
): Promise<Shown> {
  return comeBack(member, provider, await leave(member, path));
}

export function connectionsOf({ store }: TestServer, { id: userId }: Pick<Member, 'id'>) {
  return store.db.connection.findMany({ where: { userId } });
}
