import { isBrowserMissing } from '@gatehouse/harness';
import { type ProblemOptions, problem } from '@gatehouse/mocks';
import { describe, expect, it } from 'vitest';
import { type Page, useConsole } from './support/console.ts';

type Code = Parameters<typeof problem>[0];

/** What can come instead of an answer, and what a person reads then. */
const FAULTS: readonly (readonly [
  name: string,
  respond: () => Response | Promise<Response>,
  sentence: string,
])[] = [
  // First, because what is missing cannot be tried again.
  ['a missing resource', () => problemOf('not_found'), 'There is no such resource.'],
  ['a refusal', () => problemOf('forbidden'), 'The caller may not do this.'],
  ['too many requests', () => problemOf('rate_limited'), 'Too many requests.'],
  ['a lost database', () => problemOf('database_unavailable'), 'The database cannot be reached.'],
  ['a failure', () => problemOf('internal_error'), 'The server failed.'],
  ['the page of a proxy', () => html(502), 'The answer was HTTP 502.'],
  ['a page that says it is fine', () => html(200), 'The response did not come from Gatehouse.'],
];

const VIEWS: readonly (readonly [path: string, sign: string])[] = [
  ['/console', 'Needs attention'],
  ['/console/integrations', 'Linear'],
  ['/console/integrations/{GitHub}', 'Can it be used?'],
  ['/console/integrations/{GitHub}/edit', 'Save'],
  ['/console/integrations/{GitHub}/policy', 'of 5 allowed'],
  ['/console/connections', 'Needs you'],
  ['/console/applications', 'Nightly report'],
  ['/console/applications/{Cursor}', 'Connect a client'],
  ['/console/applications/{Cursor}/integrations/{GitHub}/policy', '3 of 5 allowed'],
  ['/console/activity', 'Open, in use'],
  ['/console/playground?application={Cursor}', 'Choose an integration'],
  ['/console/settings', 'GATEHOUSE_RATE_LIMIT'],
  ['/console/access', 'Docs search'],
];

describe.skipIf(isBrowserMissing())('every view', () => {
  const console = useConsole();

  const isData = ({ url }: Request) => !url.endsWith('/api/v1/me');

  it.each(VIEWS)('%s says what went wrong, and recovers', async (path, sign) => {
    const page = await console.open('about:blank');
    const tryAgain = page.getByRole('button', { name: 'Try again' }).first();
    const address = await console.addressOf(path);
    for (const [index, [name, respond, sentence]] of FAULTS.entries()) {
      console.state.fault = (request) => (isData(request) ? respond() : undefined);
      if (index < 2) await page.goto(address);
      else await tryAgain.click();
      await expect
        .soft(
          page
            .getByText(sentence)
            .first()
            .waitFor()
            .then(() => name),
        )
        .resolves.toBe(name);
    }
    console.state.fault = undefined;
    await tryAgain.click();
    await page.getByText(sign).first().waitFor();
  });

  it.each(VIEWS)('%s shows a skeleton for an answer that takes long', async (path, sign) => {
    const page = await console.open('about:blank');
    const address = await console.addressOf(path);
    console.state.fault = async (request) => {
      if (isData(request)) await new Promise((resolve) => setTimeout(resolve, 1_500));
      return undefined;
    };
    await page.goto(address);
    await page.getByText('Loading').first().waitFor({ state: 'attached' });
    await page.getByText(sign).first().waitFor();
  });

  // All at once: each waits for two of its refreshes.
  it('keeps what it shows while the network is away', async () => {
    const pages: Page[] = [];
    const views = VIEWS.filter(([path]) => !path.includes('{'));
    for (const [path, sign] of views) {
      const page = await console.open(path);
      await page.getByText(sign).first().waitFor();
      pages.push(page);
    }
    const network = (isOffline: boolean) =>
      Promise.all(pages.map((page) => page.context().setOffline(isOffline)));
    const everyPage = (state: 'visible' | 'detached') =>
      Promise.all(
        pages.map((page) =>
          page.getByText('Gatehouse cannot be reached.').first().waitFor({ state }),
        ),
      );
    await network(true);
    await everyPage('visible');
    for (const [index, [path, sign]] of views.entries()) {
      expect([path, await pages[index]?.getByText(sign).count()]).not.toEqual([path, 0]);
    }
    await network(false);
    await everyPage('detached');
  });
});

function problemOf(code: Code, options?: ProblemOptions): Response {
  const { status, body } = problem(code, options);
  const headers = { 'content-type': 'application/problem+json', 'retry-after': '0' };
  return Response.json(body, { status, headers });
}

function html(status: number): Response {
  return new Response('<h1>Bad gateway</h1>', { status, headers: { 'content-type': 'text/html' } });
}
