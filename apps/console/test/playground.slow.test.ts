import { isBrowserMissing } from '@gatehouse/harness';
import { problem } from '@gatehouse/mocks';
import { describe, expect, it } from 'vitest';
import { barriersOf, type Page, useConsole } from './support/console.ts';

const HOSTILE = '<img src=x onerror=alert(1)> \u202egnp.exe';

describe.skipIf(isBrowserMissing())('the playground', () => {
  const console = useConsole();
  const open = async (more = ''): Promise<Page> => {
    const [application, integration] = [await console.idOf('Cursor'), await console.idOf('GitHub')];
    return console.open(
      `/console/playground?application=${application}&integration=${integration}${more}`,
    );
  };
  const answer = (id: unknown, result: unknown) => Response.json({ jsonrpc: '2.0', id, result });
  const toolsAre = (tools: readonly unknown[], call: (id: unknown) => Response) => {
    console.state.gateway = async (request) => {
      const { id, method } = await request.json();
      if (method === 'server/discover') return answer(id, {});
      return method === 'tools/list' ? answer(id, { tools }) : call(id);
    };
  };

  it('goes from a choice to an answer, with all of it but the arguments in the URL', async () => {
    const page = await console.open('/console');
    await page.getByRole('link', { name: 'Playground' }).click();
    await page.getByLabel('Application').selectOption('Cursor');
    await page.getByLabel('Integration').selectOption('GitHub');
    await page.getByText('MCP 2026-07-28').waitFor();
    await page.getByRole('link', { name: /^echo/ }).click();
    await page.getByLabel('Text').fill('a secret word');
    await page.getByLabel('Tone').selectOption('loud');
    await page.getByRole('button', { name: 'Call it' }).click();
    await page.getByText('Answered').waitFor();
    await page.getByText('echo was called in the demo.', { exact: true }).waitFor();
    await page.getByText('HTTP 200', { exact: true }).waitFor();
    const structured = page.getByRole('region', { name: 'Structured content' });
    expect(JSON.parse((await structured.textContent()) ?? '')).toEqual({
      text: 'a secret word',
      times: 1,
      tone: 'loud',
    });
    expect(page.url()).toContain('name=echo');
    expect(page.url()).not.toContain('secret');
  });

  it('lists no integration that is not called through the gateway', async () => {
    const application = await console.idOf('Nightly report');
    const page = await console.open(`/console/playground?application=${application}`);
    await page.getByText('Choose an integration.').waitFor();
    const options = await page.getByLabel('Integration').locator('option').allTextContents();
    const all = 'All of them, through one URL';
    expect(options.sort()).toEqual([all, 'Choose', 'Reports', 'Warehouse']);
  });

  it('calls all integrations by the one URL, under the names that they have there', async () => {
    const seen: string[] = [];
    console.state.gateway = ({ url }) => {
      seen.push(new URL(url).pathname);
      return undefined;
    };
    const page = await console.open('/console/playground');
    await page.getByLabel('Application').selectOption('Cursor');
    await page.getByLabel('Integration').selectOption('All of them, through one URL');
    await page.getByText('Tools of Cursor').waitFor();
    await page.getByRole('link', { name: /^github__echo/ }).click();
    await page.getByLabel('Text').fill('hello');
    await page.getByRole('button', { name: 'Call it' }).click();
    await page.getByText('github__echo was called in the demo.', { exact: true }).waitFor();
    await page.getByText('What the gateway added and removed').click();
    await page.getByText(/Gatehouse itself is the server/).waitFor();
    expect(new Set(seen)).toEqual(new Set([`/mcp/${await console.idOf('Cursor')}`]));
    expect(page.url()).toContain('integration=all');
    expect(await barriersOf(page)).toEqual([]);
  });

  it('does not offer the one URL of an application where it is off', async () => {
    const { baseUrl, tokens } = console.state.mocks;
    const id = await console.idOf('Cursor');
    const headers = { authorization: `Bearer ${tokens.owner}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ aggregate: { mode: 'off' } });
    await fetch(`${baseUrl}/applications/${id}`, { method: 'PATCH', headers, body });
    const page = await console.open(`/console/playground?application=${id}&integration=all`);
    await page.getByText('Choose an integration.').waitFor();
    const options = await page.getByLabel('Integration').locator('option').allTextContents();
    expect(options).not.toContain('All of them, through one URL');
  });

  it('says which integrations the one URL does not list, and what helps', async () => {
    const [application, linear] = [await console.idOf('Cursor'), await console.idOf('Linear')];
    const github = await console.idOf('GitHub');
    const states = [
      { id: linear, alias: 'linear', state: 'late', count: 0 },
      { id: github, alias: 'github', state: 'connect', count: 0 },
      { id: HOSTILE, alias: '', state: HOSTILE, count: 0 },
    ];
    console.state.gateway = async (request) => {
      const { id, method } = await request.json();
      if (method === 'server/discover') return answer(id, {});
      return answer(id, { tools: [], _meta: { 'gatehouse/integrations': states } });
    };
    const page = await console.open(
      `/console/playground?application=${application}&integration=all`,
    );
    const trouble = page.getByRole('region', { name: 'Integrations with problems' });
    await trouble.getByText('Too slow').waitFor();
    expect(await trouble.getByRole('listitem').count()).toBe(2);
    const connect = trouble.getByRole('link', { name: 'Connect' });
    expect(await connect.getAttribute('href')).toContain(github);
    expect(await barriersOf(page)).toEqual([]);
  });

  it('gets prompts and reads resources, also one of which it fills in the address', async () => {
    const page = await open();
    await page.getByRole('link', { name: 'Prompts' }).click();
    await page.getByRole('link', { name: /^greeting/ }).click();
    await page.getByLabel('whom').fill('Ada');
    await page.getByRole('button', { name: 'Call it' }).click();
    await page.getByText('user: Greet Ada.', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Resources' }).click();
    await page.getByRole('link', { name: /number/ }).click();
    await page.getByLabel('URI').fill('demo://notes/7');
    await page.getByRole('button', { name: 'Call it' }).click();
    await page.getByText('This is demo://notes/7.', { exact: true }).waitFor();
    expect(page.url()).toContain('kind=resources');
    expect(page.url()).not.toContain('notes%2F7');
    await page.getByRole('link', { name: 'Tools' }).click();
    await page.getByRole('link', { name: /^echo/ }).waitFor();
    expect(page.url()).not.toContain('kind=');
  });

  it('speaks the older era with a session, which it ends when it is left', async () => {
    const seen: string[] = [];
    console.state.gateway = async (request) => {
      const { method = request.method } = await request.json().catch(() => ({}));
      seen.push(`${method} ${request.headers.get('mcp-session-id') ?? ''}`.trim());
      return undefined;
    };
    const page = await open('&era=legacy&name=echo');
    await page.getByText('MCP 2025-11-25').waitFor();
    await page.getByLabel('Text').fill('hello');
    await page.getByRole('button', { name: 'Call it' }).click();
    await page.getByText('Answered').waitFor();
    expect(seen).toEqual(
      expect.arrayContaining(['initialize', 'tools/call demo-session-0123456789']),
    );
    await page.getByRole('link', { name: 'Home' }).click();
    await expect.poll(() => seen).toContain('DELETE demo-session-0123456789');
  });

  it('shows the request, what the gateway did, and a command without the token', async () => {
    const page = await open('&name=echo');
    await page.getByLabel('Text').fill("it's");
    await page.getByRole('button', { name: 'Call it' }).click();
    await page.getByText('What the gateway added and removed').click();
    const up = page.getByRole('region', { name: 'On the way to the server' });
    await up.getByText('cdn-loop').waitFor();
    await up.getByText('The token is for the gateway alone.').waitFor();
    await page.getByText('Request and response').click();
    const request = page.getByRole('region', { name: 'Request', exact: true });
    expect(await request.textContent()).toContain('mcp-method: tools/call');
    await page.getByText('The same call with curl').click();
    await page.getByRole('button', { name: 'Copy curl command' }).click();
    await page.getByText('Copied').waitFor();
    const command = await page.evaluate(() => navigator.clipboard.readText());
    expect(command).toContain('/mcp/');
    expect(command).toContain(`it'\\''s`);
    expect(command).toContain('$GATEHOUSE_TOKEN');
    expect(await page.content()).not.toContain(console.state.token ?? 'no token');
  });

  it('says at its field what is wrong, and turns into JSON and back without a loss', async () => {
    const page = await open('&name=echo');
    await page.getByLabel('Times').fill('1.5');
    await page.getByLabel('Labels').fill('[');
    await page.getByRole('button', { name: 'Call it' }).click();
    await page.getByText('Must be a whole number.').waitFor();
    await page.getByText('Must be JSON').waitFor();
    await page.getByLabel('Times').fill('2');
    await page.getByLabel('Labels').fill('["a"]');
    await page.getByRole('button', { name: 'As JSON' }).click();
    const json = page.getByLabel('Arguments as JSON');
    expect(JSON.parse(await json.inputValue())).toEqual({ text: '', times: 2, labels: ['a'] });
    await json.fill('{"text":"x","unknown":1}');
    await page.getByRole('button', { name: 'As a form' }).click();
    await page.getByText('The form does not have a field for all of this.').waitFor();
    await json.fill('{"text":"x","times":5}');
    await page.getByRole('button', { name: 'As a form' }).click();
    expect(await page.getByLabel('Times').inputValue()).toBe('5');
  });

  it('shows names, descriptions, schemas and answers as text', async () => {
    const inputSchema = {
      type: 'object',
      properties: { [HOSTILE]: { type: 'string', title: HOSTILE, description: HOSTILE } },
    };
    const tool = { name: HOSTILE, title: HOSTILE, description: HOSTILE, inputSchema };
    const content = [
      { type: 'text', text: HOSTILE },
      { type: HOSTILE, data: HOSTILE },
    ];
    toolsAre([tool], (id) => answer(id, { content, structuredContent: { [HOSTILE]: HOSTILE } }));
    const page = await open(`&name=${encodeURIComponent(HOSTILE)}`);
    await page.getByRole('textbox', { name: HOSTILE }).fill(HOSTILE);
    await page.getByRole('button', { name: 'Call it' }).click();
    await page.getByText('Answered').waitFor();
    expect(await page.locator('main img').count()).toBe(0);
  });

  it('cuts an answer that is too long to show, and says so', async () => {
    const text = 'x'.repeat(300_000);
    toolsAre([{ name: 'long' }], (id) => answer(id, { content: [{ type: 'text', text }] }));
    const page = await open('&name=long');
    await page.getByRole('button', { name: 'Call it' }).click();
    await page.getByText('Only the first 100,000 of 300,000 characters are shown.').waitFor();
  });

  it.each([
    [
      'a failure of the tool',
      (id: unknown) => answer(id, { isError: true, content: [{ type: 'text', text: 'No city.' }] }),
      ['The tool failed', 'No city.'],
    ],
    [
      'an error of the gateway',
      (id: unknown) => {
        const message = 'Connect your account first.';
        return Response.json({ jsonrpc: '2.0', id, error: { code: -31001, message } });
      },
      ['Error -31001', 'Connect your account first.'],
    ],
    ['a problem', () => problemOf('upstream_unreachable'), ['Refused', 'HTTP 502']],
    [
      'the page of a proxy',
      () => new Response('<h1>Bad gateway</h1>', { status: 502 }),
      ['Not an MCP response', 'HTTP 502'],
    ],
    [
      'a question',
      (id: unknown) => answer(id, { resultType: 'input_required', inputRequests: {} }),
      ['Needs input', 'input_required'],
    ],
  ])('says what %s is', async (_what, call, signs) => {
    toolsAre([{ name: 'broken' }], call);
    const page = await open('&name=broken');
    await page.getByRole('button', { name: 'Call it' }).click();
    for (const sign of signs) await page.getByText(sign, { exact: true }).first().waitFor();
  });

  it('says why there is no token for an integration, and tries again', async () => {
    console.state.refusedResource = () => problemOf('policy_refused');
    const page = await open();
    await page
      .getByText(problem('policy_refused').body.title ?? '')
      .first()
      .waitFor();
    console.state.refusedResource = undefined;
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('link', { name: /^echo/ }).waitFor();
  });

  it('keeps what is typed when the browser is signed out', async () => {
    const page = await open('&name=echo');
    await page.getByLabel('Text').fill('typed');
    console.state.token = undefined;
    console.state.gateway = () => new Response(null, { status: 401 });
    await page.getByRole('button', { name: 'Call it' }).click();
    await page.getByText('The console got no access.').first().waitFor();
    expect(await page.getByLabel('Text').inputValue()).toBe('typed');
  });

  it('works by keyboard alone', async () => {
    const page = await open();
    await page.getByRole('link', { name: /^echo/ }).focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('Text').focus();
    await page.keyboard.type('hello');
    await page.keyboard.press('Enter');
    await page.getByText('Answered').waitFor();
  });
});

function problemOf(code: 'policy_refused' | 'upstream_unreachable'): Response {
  const { status, body } = problem(code);
  return Response.json(body, { status, headers: { 'content-type': 'application/problem+json' } });
}
