import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startUpstream, type Upstream } from '@gatehouse/testing';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { stringify } from 'yaml';
import { createApi } from '../process/support/api.ts';
import { createRoute, randomSecret } from '../process/support/routes.ts';
import { startServer } from '../process/support/servers.ts';
import { ALERT_CASES } from './support/alert-cases.ts';
import { alertRules, alertsFile, promtoolTests } from './support/alerts.ts';
import { deployFile } from './support/deploy-file.ts';
import { isProgramMissing } from './support/program.ts';
import { type Prometheus, startPrometheus } from './support/prometheus.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 150_000 });

interface Target {
  readonly scrapePool: string;
}

interface Panel {
  readonly title: string;
  readonly targets?: readonly { readonly expr: string }[];
}

const rules = alertRules();
const { panels } = JSON.parse(readFileSync(deployFile('grafana/gatehouse.json'), 'utf8')) as {
  panels: Panel[];
};

/** As Grafana sends them, with its variables filled in. */
const dashboardExpressions = panels.flatMap(({ targets = [] }) =>
  targets.map(({ expr }) =>
    expr.replaceAll('$instance', '.*').replaceAll('$__rate_interval', '1m'),
  ),
);
const expressions = [...dashboardExpressions, ...rules.map(({ expr }) => expr)];

const METRIC = /\b(?:up|(?:gatehouse|nodejs|process|probe)_\w+)\b(?=[{[) /]|$)/gm;

test('every alert has a case that makes it fire, and a section that says what to do', () => {
  expect(rules.map(({ alert }) => alert)).toEqual(Object.keys(ALERT_CASES));
  const page = readFileSync(deployFile('../docs/run/alerts.md'), 'utf8');
  const sections = [...page.matchAll(/^## (\w+)$/gm)].map(([, title]) => title);
  expect(sections).toEqual(Object.keys(ALERT_CASES));
  for (const { alert, annotations } of rules) {
    const url = `https://gatehouse.example.com/docs/run/alerts#${alert.toLowerCase()}`;
    expect(annotations.runbook_url).toBe(url);
  }
});

describe.skipIf(isProgramMissing('promtool'))('the rules', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-rules-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  const promtool = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8' });
    return { status, output: stdout + stderr };
  };

  test('are understood by Prometheus, as is the configuration of the scrape', () => {
    const checked = promtool('check', 'rules', '--lint=all', '--lint-fatal', alertsFile);
    expect(checked.status, checked.output).toBe(0);
    for (const name of ['prometheus.yml', 'kubernetes.yml']) {
      const file = join(folder, name);
      // Debian builds Prometheus without the discovery of Kubernetes, as if it were misspelt.
      const text = readFileSync(deployFile(`prometheus/${name}`), 'utf8');
      writeFileSync(file, text.replace(/^ *kubernetes_sd_configs:\n(?: {6}.*\n)+/m, ''));
      writeFileSync(join(folder, 'alerts.yml'), readFileSync(alertsFile));
      const configuration = promtool('check', 'config', '--syntax-only', file);
      expect(configuration.status, configuration.output).toBe(0);
    }
  });

  test('fire when they should, not before, and not for a node that is well', () => {
    const file = join(folder, 'alerts.test.yml');
    const tests = rules.flatMap((rule) => {
      const given = ALERT_CASES[rule.alert];
      return given === undefined ? [] : promtoolTests(rule, given);
    });
    writeFileSync(file, stringify({ rule_files: [alertsFile], evaluation_interval: '1m', tests }));
    const { status, output } = promtool('test', 'rules', file);
    expect(status, output).toBe(0);
  });
});

describe.skipIf(isProgramMissing('prometheus'))('a Prometheus that scrapes a server', () => {
  let prometheus: Prometheus;
  let upstream: Upstream;

  afterAll(() => upstream.close());

  beforeAll(async () => {
    const metricsToken = randomSecret();
    const server = await startServer({ env: { GATEHOUSE_METRICS_TOKEN: metricsToken } });
    const api = createApi(server);
    upstream = await startUpstream();
    const { path } = await createRoute(api, { url: upstream.url });
    await api.call('POST', `/${path}`, { body: {} });
    prometheus = await startPrometheus(new URL(server.baseUrl).host, metricsToken);
    await vi.waitUntil(
      async () => {
        const { result } = await prometheus.get<{ result: unknown[] }>(
          'query?query=gatehouse_ready',
        );
        return result.length === 1;
      },
      { timeout: 30_000, interval: 100 },
    );
  });

  test('finds the node up, and evaluates every expression of the dashboard and the alerts', async () => {
    const { activeTargets } = await prometheus.get<{ activeTargets: Target[] }>('targets');
    const nodes = activeTargets.filter(({ scrapePool }) => scrapePool === 'gatehouse');
    expect(nodes).toMatchObject([{ health: 'up', lastError: '' }]);
    expect(dashboardExpressions.length).toBeGreaterThan(30);
    for (const expr of expressions) {
      await prometheus.get(`query?query=${encodeURIComponent(expr)}`);
    }
  });

  test('knows every metric that they name, but for those of the blackbox exporter', async () => {
    const known = new Set(await prometheus.get<string[]>('label/__name__/values'));
    const named = expressions.map((expr) => [...expr.matchAll(METRIC)].map(([name]) => name));
    expect(named.filter((names) => names.length === 0)).toEqual([]);
    const own = named.flat().filter((name) => !name.startsWith('probe_'));
    expect([...new Set(own)].filter((name) => !known.has(name))).toEqual([]);
  });

  test('has a value for every gauge of the dashboard, by which its labels are right', async () => {
    const gauges = dashboardExpressions.filter((expr) => !/rate|increase/.test(expr));
    expect(gauges).not.toEqual([]);
    for (const expr of gauges) {
      const { result } = await prometheus.get<{ result: unknown[] }>(
        `query?query=${encodeURIComponent(expr)}`,
      );
      expect(result, expr).not.toEqual([]);
    }
  });
});
