import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { AlertCase } from './alert-cases.ts';
import { deployFile } from './deploy-file.ts';

export interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: { readonly summary: string; readonly runbook_url: string };
}

export const alertsFile = deployFile('prometheus/alerts.yml');

export function alertRules(): AlertRule[] {
  const { groups } = parse(readFileSync(alertsFile, 'utf8')) as {
    groups: { rules: AlertRule[] }[];
  };
  return groups.flatMap(({ rules }) => rules);
}

/**
 * What `promtool test rules` takes: two nodes, of which one is as it should be. Of alerts about all nodes
 * together there is one test for each.
 */
export function promtoolTests(rule: AlertRule, given: AlertCase): object[] {
  const { job = 'gatehouse' } = given;
  const bad = seriesOf(given.firing, job, 'bad');
  const good = seriesOf(given.quiet, job, 'good');
  const labels = { job, ...(given.isOfAll ? {} : { instance: 'bad' }), ...given.labels };
  const alert = {
    exp_labels: { ...labels, ...rule.labels },
    exp_annotations: rule.annotations,
  };
  const at = (minutes: number, expected: readonly object[]) => ({
    eval_time: `${minutes}m`,
    alertname: rule.alert,
    exp_alerts: expected,
  });
  const checks = [at(given.after - 1, []), at(given.after, [alert])];
  const test = (series: readonly object[], expected: readonly object[]) => ({
    interval: '1m',
    input_series: series,
    alert_rule_test: expected,
  });
  if (!given.isOfAll) return [test([...bad, ...good], checks)];
  return [test(bad, checks), test(good, [at(given.after, []), at(100, [])])];
}

function seriesOf(
  series: Readonly<Record<string, string>>,
  job: string,
  instance: string,
): object[] {
  return Object.entries(series).map(([name, values]) => {
    const place = `job="${job}",instance="${instance}"`;
    const labelled = name.includes('{') ? name.replace('{', `{${place},`) : `${name}{${place}}`;
    return { series: labelled, values };
  });
}
