import { beforeAll, describe, expect, it } from 'vitest';
import { createClient, type TestClient } from '../authorization-server/fixture.ts';
import { insertGrant } from '../support/grants.ts';
import { useServer } from '../support/server.ts';
import { createMember, type Member, shownOf } from './fixture.ts';

const server = useServer();
const db = () => server.store.db;

let member: Member;

beforeAll(async () => {
  member = await createMember(server);
});

/** A grant of the member for a whole application, which covers nothing yet. */
async function start(authMode = 'user_token', by: Pick<Member, 'id'> = member) {
  const client = await createClient(server, { authMode });
  const { id: grantId } = await grantOf(client, by);
  return { client, grantId, page: pageOf(client, grantId) };
}

const grantOf = (
  { clientId }: TestClient,
  { id: userId }: Pick<Member, 'id'> = member,
  fields: Parameters<typeof insertGrant>[2] = {},
) =>
  insertGrant(server, clientId, {
    userId,
    resources: [`${server.origin}/mcp/${clientId}`],
    ...fields,
  });

const pageOf = ({ integrationId }: Pick<TestClient, 'integrationId'>, grantId: string) =>
  `/connect?integration=${integrationId}&grant=${grantId}`;

const open = async (page: string, { browser } = member) => shownOf(await browser.get(page));

async function coveredBy(grantId: string): Promise<string[]> {
  const { integrationIds } = await db().grant.findUniqueOrThrow({ where: { id: grantId } });
  return integrationIds;
}

const extensions = async (targetId: string) => {
  const { body } = await server.call('GET', `/audit-events?action=grant.extended`);
  return body.items.filter(({ target }: { target: { id: string } }) => target.id === targetId);
};

describe('the page of a grant and an integration', () => {
  it('sends a person to sign in, and back', async () => {
    const { page } = await start();
    const response = await fetch(server.origin + page, { redirect: 'manual' });
    expect(response.status).toBe(303);
    expect(response.headers.get('location')).toBe(`/sign-in?return_to=${encodeURIComponent(page)}`);
  });

  it('names client and integration, and changes nothing by itself', async () => {
    const { page, grantId } = await start();
    const { status, title, text } = await open(page);
    expect([status, title]).toEqual([200, 'Let Agent use Docs?']);
    expect(text).toContain('which you connect next');
    expect(text).not.toContain('nobody has verified');
    expect(await coveredBy(grantId)).toEqual([]);
  });

  it('says of a dynamic client that nobody has verified its name', async () => {
    const { client } = await start();
    const id = `dyn_${'a'.repeat(22)}`;
    const now = new Date();
    const fields = { name: '<b>Bank</b>', redirectUris: [], createdAt: now, lastUsedAt: now };
    await db().dynamicClient.create({ data: { id, ...fields } });
    const grant = await grantOf(client, member, { clientId: id });
    const { text } = await open(pageOf(client, grant.id));
    expect(text).toContain('nobody has verified it');
    expect(text).toContain('&lt;b&gt;Bank&lt;/b&gt;');
    expect(text).not.toContain('<b>Bank');
  });

  it('adds the integration, and goes on to connect the account', async () => {
    const { client, page, grantId } = await start();
    const { text } = await open(page);
    const answer = await member.browser.submit(text, { decision: 'allow' });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, page]);
    expect(await coveredBy(grantId)).toEqual([client.integrationId]);
    const onward = await member.browser.get(page);
    expect(onward.status).toBe(303);
    const form = await open(onward.headers.get('location') ?? '');
    expect(form.title).toBe('Connect Docs');
    const saved = await member.browser.submit(form.text, { decision: 'save', token: 'sesame' });
    expect((await open(saved.headers.get('location') ?? '')).title).toBe('Connected');
  });

  it('adds it once, and records it once, however often the form is sent', async () => {
    const { client, page, grantId } = await start();
    const { text } = await open(page);
    const send = () => member.browser.submit(text, { decision: 'allow' });
    await Promise.all([send(), send(), send()]);
    await send();
    expect(await coveredBy(grantId)).toEqual([client.integrationId]);
    expect(await extensions(grantId)).toEqual([
      expect.objectContaining({
        actor: expect.objectContaining({ kind: 'person', id: member.id }),
        details: {
          integrationId: client.integrationId,
          applicationId: client.clientId,
          clientId: client.clientId,
        },
      }),
    ]);
  });

  it('ends with the connected page where the account is connected', async () => {
    const { client, page } = await start();
    await server.call('POST', `/integrations/${client.integrationId}/connection`, {
      token: member.token,
      body: { token: 'sesame' },
    });
    const { text } = await open(page);
    expect(text).not.toContain('which you connect next');
    await member.browser.submit(text, { decision: 'allow' });
    const { headers } = await member.browser.get(page);
    expect((await open(headers.get('location') ?? '')).title).toBe('Connected');
  });

  it('changes nothing for a person who does not allow it', async () => {
    const { page, grantId } = await start();
    const { text } = await open(page);
    const answer = await shownOf(await member.browser.submit(text, { decision: 'deny' }));
    expect(answer.title).toBe('Nothing has changed');
    expect(await coveredBy(grantId)).toEqual([]);
  });

  it('takes no form without its token', async () => {
    const { page, grantId } = await start();
    const { text } = await open(page);
    for (const form_token of ['', 'test.forged']) {
      const answer = await member.browser.submit(text, { decision: 'allow', form_token });
      expect(answer.status).toBe(403);
    }
    expect(await coveredBy(grantId)).toEqual([]);
  });
});

describe('there is nothing to agree to', () => {
  const notFound = async (page: string) => {
    expect(await open(page)).toMatchObject({ status: 404, title: 'There is nothing to agree to' });
  };

  it('for another person, even if they send the form', async () => {
    const { page, grantId } = await start('user_token', await createMember(server));
    await notFound(page);
    const own = await start();
    const { text } = await open(own.page);
    const forged = text.replaceAll(own.page.replace('&', '&amp;'), page.replace('&', '&amp;'));
    expect(forged).not.toBe(text);
    await member.browser.submit(forged, { decision: 'allow' });
    expect(await coveredBy(grantId)).toEqual([]);
  });

  it.each([
    ['has expired', { expiresAt: new Date(0) }],
    ['is for single integrations', { resources: ['https://gatehouse.example/mcp/a/b'] }],
  ])('with a grant that %s', async (_what, data) => {
    const { page, grantId } = await start();
    await db().grant.update({ where: { id: grantId }, data });
    await notFound(page);
  });

  it('with one of an application that is archived, or that the integration left meanwhile', async () => {
    const archived = await start();
    const detached = await start();
    const { text } = await open(detached.page);
    await server.call('DELETE', `/applications/${archived.client.clientId}`);
    const { clientId, integrationId } = detached.client;
    await server.call('DELETE', `/applications/${clientId}/integrations/${integrationId}`);
    await notFound(archived.page);
    await notFound(detached.page);
    await member.browser.submit(text, { decision: 'allow' });
    expect(await coveredBy(detached.grantId)).toEqual([]);
  });

  it('for an integration with a credential that is handed out', async () => {
    const { client, page } = await start();
    const data = { category: 'internal_mcp_credentials' as const };
    await db().integration.update({ where: { id: client.integrationId }, data });
    await notFound(page);
  });

  it.each([
    ['grant=x', ''],
    ['grant=x&grant=y', ''],
    ['', 'x'],
  ])('at a link that is malformed: %s %s', async (query, integration) => {
    const { client, grantId } = await start();
    const grant = query === '' ? `grant=${grantId}` : query;
    await notFound(`/connect?integration=${integration || client.integrationId}&${grant}`);
  });

  it.each([
    ['needs no account', { authMode: 'none' as const }, 'Nothing needs to be connected'],
    ['is archived', { archivedAt: new Date() }, 'This integration is archived'],
  ])('for an integration that %s', async (_what, data, title) => {
    const { client, page } = await start();
    await db().integration.update({ where: { id: client.integrationId }, data });
    expect((await open(page)).title).toBe(title);
  });
});
