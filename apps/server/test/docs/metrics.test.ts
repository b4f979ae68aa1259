import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createApi } from '../process/support/api.ts';
import { createRoute } from '../process/support/routes.ts';
import { startServer } from '../process/support/servers.ts';
import { readExposition, type ScrapedMetric } from '../support/exposition.ts';
import { startTestServer } from '../support/server.ts';
import { expectGenerated } from './generated-part.ts';
import { type LabelHelp, type ManyValues, METRIC_HELP, type MetricHelp } from './metric-help.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 150_000 });

const PAGE = 'docs/run/metrics.md';
const MARKS = (name: string) =>
  new RegExp(`(?<before><!-- ${name}: .*? -->\\n\\n)[\\s\\S]*?(?<after>\\n\\n<!-- end -->)`);

const isOurs = ({ name }: ScrapedMetric) => name.startsWith('gatehouse_');

function unitOf({ name, type }: ScrapedMetric): string {
  if (/_seconds(_total|$)/.test(name) || /_seconds_/.test(name)) return 'seconds';
  if (/_bytes/.test(name)) return 'bytes';
  return type === 'gauge' ? 'number' : 'count';
}

const code = (text: string) => (/[\s`]/.test(text) ? text : `\`${text}\``);

const isManyValues = (help: LabelHelp): help is ManyValues => Array.isArray(help.values);

function labelTable([label, help]: readonly [string, LabelHelp]): string {
  if (isManyValues(help)) return `Label \`${label}\`: ${help.values.map(code).join(', ')}.`;
  const rows = Object.entries(help).map(([value, meaning]) => `| \`${value}\` | ${meaning} |`);
  return [`| \`${label}\` | |`, '|---|---|', ...rows].join('\n');
}

function sectionOf(metric: ScrapedMetric, { labels = {}, odd }: MetricHelp): string {
  return [
    `### ${metric.name}`,
    `${metric.help} *${metric.type}, ${unitOf(metric)}*`,
    ...Object.entries(labels).map(labelTable),
    `**When it is odd:** ${odd}`,
  ].join('\n\n');
}

/** Labels, and values of labels, that a sample has and the page does not. */
function undocumentedLabels({ name, samples }: ScrapedMetric): string[] {
  const labels = METRIC_HELP[name]?.labels ?? {};
  const found = samples.flatMap((sample) =>
    Object.entries(sample).flatMap(([label, value]) => {
      const help = labels[label];
      if (help === undefined) return [`${name}: ${label}`];
      const isKnown = isManyValues(help)
        ? help.values.includes(value) || help.pattern?.test(value)
        : Object.hasOwn(help, value);
      return isKnown ? [] : [`${name}: ${label}="${value}"`];
    }),
  );
  return [...new Set(found)];
}

describe('the metrics of a running server', () => {
  let scraped: ScrapedMetric[];

  beforeAll(async () => {
    const api = createApi(await startServer());
    await api.expect(200, 'GET', '/me');
    const { path } = await createRoute(api, { url: 'http://127.0.0.1:1' });
    await api.expect(401, 'POST', `/${path}`, { token: null });
    await api.call('POST', `/${path}`, { body: {} });
    scraped = readExposition((await api.expect(200, 'GET', '//metrics')).text);
  });

  it('are all on the page, with what they mean', () => {
    const own = scraped.filter(isOurs);
    expect(own.map(({ name }) => name).sort()).toEqual(Object.keys(METRIC_HELP).sort());
    const sections = Object.entries(METRIC_HELP).map(([name, help]) => {
      const metric = own.find((one) => one.name === name);
      return metric === undefined ? '' : sectionOf(metric, help);
    });
    expectGenerated(PAGE, MARKS('own'), sections.join('\n\n'));
  });

  it('have only labels and label values that the page lists', () => {
    expect(scraped.filter(isOurs).flatMap(undocumentedLabels)).toEqual([]);
    const calls = scraped.find(({ name }) => name === 'gatehouse_gateway_calls_total');
    expect(calls?.samples).toContainEqual({ outcome: 'refused', era: 'legacy', status: '4xx' });
  });

  it('show every documented value of a counter from the start', () => {
    for (const { name, samples } of scraped.filter(isOurs)) {
      if (/_gateway_(calls|streams)_|_http_request_/.test(name)) continue;
      for (const [label, help] of Object.entries(METRIC_HELP[name]?.labels ?? {})) {
        if (isManyValues(help)) continue;
        const values = new Set(samples.map((sample) => sample[label]));
        expect([...values].sort(), `${name}: ${label}`).toEqual(Object.keys(help).sort());
      }
    }
  });

  it('include those of Node and the process, which the page lists', () => {
    const rows = scraped
      .filter((metric) => !isOurs(metric) && metric.type !== '')
      .map((metric) => {
        return `| \`${metric.name}\` | ${metric.type} | ${unitOf(metric)} | ${metric.help} |`;
      });
    const head = ['| metric | type | unit | |', '|---|---|---|---|'];
    expectGenerated(PAGE, MARKS('process'), [...head, ...rows.sort()].join('\n'));
  });
});

it('no metric that the service registers is missing on the page', async () => {
  const server = await startTestServer();
  onTestFinished(() => server.close());
  const headers = { authorization: `Bearer ${server.owner}` };
  const text = await (await fetch(`${server.origin}/metrics`, { headers })).text();
  const names = readExposition(text)
    .filter(isOurs)
    .map(({ name }) => name);
  expect(names.length).toBeGreaterThan(10);
  expect(names.filter((name) => METRIC_HELP[name] === undefined)).toEqual([]);
});
