import { isBrowserMissing } from '@gatehouse/harness';
import { problem } from '@gatehouse/mocks';
import { describe, expect, it } from 'vitest';
import { send } from '../demo/people.ts';
import { barriersOf, useConsole } from './support/console.ts';

describe.skipIf(isBrowserMissing())('the first steps', () => {
  const console = useConsole({ isEmpty: true });

  it('lead from an empty installation to a snippet, and turn green at the first call', async () => {
    const page = await console.open('/console');
    await page.getByLabel('URL of the MCP server').fill('https://mcp.tracker.example/mcp');
    await page.getByRole('button', { name: 'Look at it' }).click();
    await page.getByRole('radio', { name: 'Own token' }).check();
    await page.getByRole('button', { name: 'Add integration' }).click();
    await page.getByRole('button', { name: 'Cursor' }).click();
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await page.getByLabel('Access token').fill('key-of-ana');
    await page.getByRole('dialog').getByRole('button', { name: 'Connect' }).click();
    await page.getByText('Waiting for the first call').waitFor();
    await page.getByRole('link', { name: 'Open in Cursor' }).waitFor();
    const { fixtures } = console.state.mocks;
    const [applicationId, integrationId] = [await console.idOf('Cursor'), await firstIntegration()];
    await page.getByText(`"${console.origin}/mcp/${applicationId}"`).waitFor();
    fixtures.addSession({ applicationId, integrationId, isOfConsole: true });
    await page.waitForTimeout(5_500);
    await page.getByText('Waiting for the first call').waitFor();
    fixtures.addSession({ applicationId, integrationId });
    await page.getByText('A client has called').waitFor();
    expect(await barriersOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Go to Home' }).click();
    await page.getByRole('heading', { name: 'Needs attention' }).waitFor();
    await page.getByText('Nothing needs your attention.').waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Needs attention' }).waitFor();
  });

  it('make one application where attaching it fails at first', async () => {
    console.state.mocks.fixtures.addIntegration({ name: 'Weather', authMode: 'none' });
    const page = await console.open('/console');
    console.state.fault = ({ method, url }) =>
      method === 'POST' && /\/integrations\//.test(url)
        ? refusal('database_unavailable')
        : undefined;
    const choose = () => page.getByRole('button', { name: 'Cursor' }).click();
    await choose();
    await page.getByText('Cursor is made. Choose it again to let it use the server.').waitFor();
    console.state.fault = undefined;
    await choose();
    await page.getByText('Waiting for the first call').waitFor();
    const made = console.state.requests.filter((line) => line === 'POST /api/v1/applications');
    expect(made).toHaveLength(1);
  });

  it('are for a member with an application that nobody has called, and for no other one', async () => {
    const { fixtures, tokens } = console.state.mocks;
    console.state.token = tokens.member;
    const page = await console.open('/console', { width: 360 });
    await page.getByText('Nothing needs your attention.').waitFor();
    expect(await barriersOf(page)).toEqual([]);
    fixtures.addApplication({ name: 'My editor' }, { token: tokens.member });
    await page.reload();
    await page.getByText('An owner or admin of your organization adds it.').waitFor();
    expect(await page.getByLabel('URL of the MCP server').count()).toBe(0);
    expect(await barriersOf(page)).toEqual([]);
  });

  async function firstIntegration(): Promise<string> {
    const { baseUrl, tokens } = console.state.mocks;
    const headers = { authorization: `Bearer ${tokens.owner}` };
    const { items } = (await (await fetch(`${baseUrl}/integrations`, { headers })).json()) as {
      items: { id: string }[];
    };
    return items[0]?.id ?? '';
  }
});

describe.skipIf(isBrowserMissing())('what needs attention', () => {
  const console = useConsole();

  it('is said with its cause, and the button that helps', async () => {
    const page = await console.open('/console');
    const panel = page.getByRole('region', { name: 'Needs attention' });
    await panel.getByText('Jira cannot be used').waitFor();
    await panel.getByText('GitHub changed a tool').waitFor();
    // The cause is the person's own connection: it is said once.
    expect(await panel.getByText('Linear cannot be used').count()).toBe(0);
    await panel
      .getByRole('listitem')
      .filter({ hasText: 'Connect Linear again' })
      .getByRole('link')
      .click();
    await page.waitForURL(/\/connections\?connect=/);
    await page.getByRole('button', { name: 'Connect again Linear' }).waitFor();
  });

  it('includes certificates and tokens that end soon', async () => {
    const { mocks } = console.state;
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
    for (const [name, days] of [
      ['Notion', 13],
      ['Stripe', 15],
    ] as const) {
      const id = await console.idOf(name);
      const certificateExpiresAt = inDays(days);
      const tls = {
        stage: 'tls',
        status: 'passed',
        milliseconds: 3,
        certificateExpiresAt,
      } as const;
      mocks.setValidation(id, { status: 'valid', message: 'Works.', stages: [tls] });
      await send(mocks, 'POST', `/integrations/${id}/validate`);
    }
    const token = { scopes: ['management:read'], expiresAt: inDays(6) };
    await send(mocks, 'POST', '/tokens', { ...token, name: 'Deploy' });
    const page = await console.open('/console');
    const panel = page.getByRole('region', { name: 'Needs attention' });
    const certificate = panel.getByRole('listitem').filter({ hasText: 'certificate of Notion' });
    await certificate.getByText(/^It expires on \d/).waitFor();
    await panel.getByText('Your token Deploy ends').waitFor();
    expect(await panel.getByText('certificate of Stripe').count()).toBe(0);
    await certificate.getByRole('link', { name: 'Look at it' }).click();
    await page.getByText('Certificate', { exact: true }).waitFor();
  });

  it('is true beyond what lists show at once', async () => {
    const { mocks } = console.state;
    for (let n = 0; n < 110; n += 1) {
      const { id } = mocks.fixtures.addIntegration({ name: `Broken ${n}` });
      mocks.setValidation(id, { status: 'invalid', message: 'It is down.', stages: [] });
      await send(mocks, 'POST', `/integrations/${id}/validate`);
      mocks.fixtures.addApplication({ name: `Idle ${n}` });
    }
    const page = await console.open('/console');
    const panel = page.getByRole('region', { name: 'Needs attention' });
    await panel.getByText('Broken 109 cannot be used').waitFor();
    const more = panel
      .getByRole('listitem')
      .filter({ hasText: 'more integrations cannot be used' });
    expect(await more.getByRole('heading').textContent()).toMatch(/^9\d more/);
    // Everything of the demo is older than all of these.
    await panel.getByText('GitHub changed a tool').waitFor();
    await panel.getByText('Connect Linear again').waitFor();
    const figures = await page.getByRole('region', { name: 'In use' }).textContent();
    expect(figures).toMatch(/Integrations1[1-9]\d/);
    await more.getByRole('link', { name: 'See them' }).click();
    await page.waitForURL(/\/integrations\?status=invalid/);
  });

  it('is looked for once a minute, but not again where it was refused', async () => {
    const page = await console.open('/console/nothing');
    await page.clock.install();
    const asked = (what: string) =>
      console.state.requests.filter((line) => line.endsWith(what)).length;
    console.state.fault = ({ url }) => (url.endsWith('/installation') ? refusal() : undefined);
    await page.goto('/console');
    await page.getByRole('heading', { name: 'Needs attention' }).waitFor();
    await expect.poll(() => asked('/installation')).toBe(1);
    await expect.poll(() => asked('/overview')).toBe(1);
    await page.clock.fastForward('01:10');
    await expect.poll(() => asked('/overview')).toBe(2);
    expect(asked('/installation')).toBe(1);
    // Its clock cannot be set right again.
    await page.context().close();
  });

  it('has for a member their own connections and tokens, and nothing of what admins mend', async () => {
    const { mocks } = console.state;
    console.state.token = mocks.tokens.member;
    const me = await read<{ user: { id: string } }>('/me', mocks.tokens.member);
    const integrationId = await console.idOf('Linear');
    mocks.fixtures.addConnection({ integrationId, userId: me.user.id, reason: 'needs_reauth' });
    const page = await console.open('/console');
    const panel = page.getByRole('region', { name: 'Needs attention' });
    await panel.getByText('Connect Linear again').waitFor();
    expect(await panel.getByText('changed a tool').count()).toBe(0);
    await page.getByText('0 applications of yours').waitFor();
    const asked = console.state.requests.filter((line) => /tools|installation/.test(line));
    expect(asked).toEqual([]);
  });

  async function read<Body>(path: string, token: string): Promise<Body> {
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(console.state.mocks.baseUrl + path, { headers });
    return (await response.json()) as Body;
  }
});

function refusal(code: 'forbidden' | 'database_unavailable' = 'forbidden'): Response {
  const { status, body } = problem(code);
  return Response.json(body, { status, headers: { 'content-type': 'application/problem+json' } });
}
