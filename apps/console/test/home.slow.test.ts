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
    await page.getByText(`${console.origin}/mcp/`).waitFor();
    await page.getByRole('link', { name: 'Open in Cursor' }).waitFor();

    const { fixtures } = console.state.mocks;
    const [applicationId, integrationId] = [await console.idOf('Cursor'), await firstIntegration()];
    fixtures.addSession({ applicationId, integrationId });
    await page.getByRole('heading', { name: 'Needs attention' }).waitFor();
    await page.getByText('Nothing needs you.').waitFor();
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

  it('tell a member who takes the first one', async () => {
    console.state.token = console.state.mocks.tokens.member;
    const page = await console.open('/console', { isChecked: true, width: 360 });
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

  it('is looked for once a minute, but not again where it was refused', async () => {
    const page = await console.open('/console/nothing');
    await page.clock.install();
    const asked = (what: string) =>
      console.state.requests.filter((line) => line.endsWith(what)).length;
    console.state.fault = ({ url }) => (url.endsWith('/installation') ? refusal() : undefined);
    await page.goto('/console');
    await page.getByRole('heading', { name: 'Needs attention' }).waitFor();
    await expect.poll(() => asked('/installation')).toBe(1);
    const tools = `${await console.idOf('GitHub')}/tools`;
    await expect.poll(() => asked(tools)).toBe(1);
    await page.clock.fastForward('01:10');
    await expect.poll(() => asked(tools)).toBe(2);
    expect(asked('/installation')).toBe(1);
    // Its clock cannot be set right again.
    await page.context().close();
  });

  it('asks nothing about tools for a member', async () => {
    console.state.token = console.state.mocks.tokens.member;
    const page = await console.open('/console');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForTimeout(500);
    expect(console.state.requests.filter((request) => /tools/.test(request))).toEqual([]);
  });
});

function refusal(code: 'forbidden' | 'database_unavailable' = 'forbidden'): Response {
  const { status, body } = problem(code);
  return Response.json(body, { status, headers: { 'content-type': 'application/problem+json' } });
}
