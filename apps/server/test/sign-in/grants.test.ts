import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Application } from '../../src/generated/prisma/client.ts';
import { createId } from '../../src/platform/ids.ts';
import { Browser, signedInBrowser, type TestPerson } from '../support/browser.ts';
import { insertGrant, insertOauthToken } from '../support/grants.ts';
import { useServer } from '../support/server.ts';

const server = useServer();
const db = () => server.store.db;
let person: TestPerson;
let application: Application;

beforeEach(async () => {
  const { id } = await server.addMember('member');
  person = await db().user.findUniqueOrThrow({ where: { id } });
  const created = await server.call('POST', '/applications', {
    body: { name: 'Helper', oauth: { type: 'public', redirectUris: ['https://a.example/cb'] } },
  });
  application = await db().application.findUniqueOrThrow({
    where: { id: created.body.application.id },
  });
});

const grant = (fields: Parameters<typeof insertGrant>[2] = {}) =>
  insertGrant(server, application.id, { userId: person.id, ...fields });

async function createIntegration(name: string): Promise<string> {
  const body = { name, url: 'http://127.0.0.1:9/mcp', authMode: 'none' };
  return (await server.call('POST', '/integrations', { body })).body.integration.id;
}

const openAccount = async () => (await signedInBrowser(server, person)).open('/account');

describe('the account page', () => {
  it('says when no application works for a person', async () => {
    expect((await openAccount()).text).toContain('No application works for you.');
  });

  it('lists the applications that work for the person, and since when', async () => {
    const integrationIds = [await createIntegration('Docs'), await createIntegration('<Mail>')];
    const createdAt = new Date('2026-03-04T05:06:07Z');
    await grant({ integrationIds, createdAt, lastUsedAt: new Date('2026-03-05T05:06:07Z') });
    const { text } = await openAccount();
    expect(text).toMatch(/<h3 [^>]*>Helper<\/h3>/);
    expect(text).toContain('Uses: Docs, &lt;Mail&gt;');
    expect(text).toContain('Since <time datetime="2026-03-04T05:06:07.000Z">4 March 2026</time>');
    expect(text).toContain('last used on <time datetime="2026-03-05T05:06:07.000Z">5 March 2026');
  });

  it('names a dynamic client, and the application that it came through', async () => {
    const clientId = `https://client.example/${randomUUID()}.json`;
    const now = new Date();
    await db().dynamicClient.create({
      data: { id: clientId, name: 'Desk "1"', redirectUris: [], createdAt: now, lastUsedAt: now },
    });
    await grant({ clientId });
    const { text } = await openAccount();
    expect(text).toMatch(/<h3 [^>]*>Desk &quot;1&quot;<\/h3>/);
    expect(text).toContain('uses the integrations of Helper');
    expect(text).toContain('not used yet');
  });

  it('counts integrations beyond the first five, and mentions access to settings', async () => {
    const integrationIds = await Promise.all(
      ['1', '2', '3', '4', '5', '6', '7'].map(createIntegration),
    );
    await grant({ integrationIds, scopes: ['mcp', 'management:write'] });
    expect((await openAccount()).text).toContain(
      'Uses: 1, 2, 3, 4, 5, 2 more, changes settings of this Gatehouse',
    );
  });

  it('shows neither the grants of others nor what has expired', async () => {
    await insertGrant(server, application.id);
    await grant({ expiresAt: new Date(Date.now() - 1000) });
    expect((await openAccount()).text).toContain('No application works for you.');
  });

  it('leads to the rest of a long list', async () => {
    const rows = [];
    for (let i = 0; i < 43; i += 1) rows.push(await grant());
    const browser = await signedInBrowser(server, person);
    const seen: string[] = [];
    let path: string | undefined = '/account';
    while (path !== undefined) {
      const { status, text } = await browser.open(path);
      expect(status).toBe(200);
      seen.push(
        ...[...text.matchAll(/action="\/account\/grants\/([^/]*)\/end"/g)].map(([, id = '']) => id),
      );
      path = /href="(\/account\/grants\?before=[^"]*)"/.exec(text)?.[1];
    }
    expect(seen).toEqual(rows.map(({ id }) => id).reverse());
  });

  it('shows the rest of the list only to a person who is signed in', async () => {
    const { status, headers } = await new Browser(server).open('/account/grants');
    expect([status, headers.get('location')]).toEqual([
      303,
      '/sign-in?return_to=%2Faccount%2Fgrants',
    ]);
    const browser = await signedInBrowser(server, person);
    expect((await browser.open("/account/grants?before='")).status).toBe(200);
  });
});

describe('ending a grant', () => {
  it('ends its tokens, the sessions that are its activity, and the remembered consent', async () => {
    const row = await grant();
    const token = await insertOauthToken(server, row, 'access');
    const { organizationId, id: applicationId } = application;
    await db().consent.create({
      data: {
        ...createId(),
        organizationId,
        applicationId,
        userId: person.id,
        clientId: applicationId,
        redirectHost: 'a.example',
        resources: row.resources,
        scopes: row.scopes,
      },
    });
    const session = await insertSession(row.id);
    const browser = await signedInBrowser(server, person);
    const action = `/account/grants/${row.id}/end`;
    const { status, headers } = await browser.submit('/account', {}, { action });
    expect([status, headers.get('location')]).toEqual([303, '/account']);
    expect(await db().grant.count({ where: { id: row.id } })).toBe(0);
    expect(await db().oauthToken.count({ where: { grantId: row.id } })).toBe(0);
    expect(await db().consent.count({ where: { userId: person.id } })).toBe(0);
    const { state } = await db().session.findUniqueOrThrow({ where: { id: session } });
    expect([state, token.length > 0]).toEqual(['revoked', true]);
    // Again: it is over already.
    expect((await browser.submit('/account', {}, { action })).status).toBe(303);
  });

  it('is for its person alone, on a page of ours', async () => {
    const [own, foreign] = [await grant(), await insertGrant(server, application.id)];
    const browser = await signedInBrowser(server, person);
    const end = (id: string) => `/account/grants/${id}/end`;
    await browser.submit('/account', {}, { action: end(foreign.id) });
    expect((await browser.post(end(own.id), {})).status).toBe(403);
    expect((await new Browser(server).post(end(own.id), {})).headers.get('location')).toBe(
      '/sign-in?return_to=%2Faccount',
    );
    expect((await browser.submit('/account', {}, { action: end('x') })).status).toBe(303);
    expect((await browser.open(end(own.id))).status).toBe(405);
    expect(await db().grant.count({ where: { id: { in: [own.id, foreign.id] } } })).toBe(2);
  });
});

async function insertSession(tokenId: string): Promise<string> {
  const { id: applicationId, organizationId } = application;
  const integrationId = await createIntegration('Docs');
  const { id, createdAt } = createId();
  await db().session.create({
    data: {
      id,
      organizationId,
      applicationId,
      integrationId,
      attachmentId: createId().id,
      userId: person.id,
      tokenId,
      era: 'modern',
      createdAt,
      lastActivityAt: createdAt,
    },
  });
  return id;
}
