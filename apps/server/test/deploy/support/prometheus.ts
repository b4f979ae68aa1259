import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort, launch } from '@gatehouse/harness';
import { afterFile } from '../../support/after-file.ts';
import { alertsFile } from './alerts.ts';
import { deployFile } from './deploy-file.ts';

/** A Prometheus that scrapes one server with the configuration that operators get. */
export interface Prometheus {
  /** The `data` of an answer of its API. @throws Error when it refuses */
  get<T>(path: string): Promise<T>;
}

/** @param target host and port of the server @param token which may read its metrics */
export async function startPrometheus(target: string, token: string): Promise<Prometheus> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-prometheus-'));
  afterFile(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'token'), token);
  const configuration = readFileSync(deployFile('prometheus/prometheus.yml'), 'utf8')
    .replaceAll('15s', '1s')
    .replace('- alerts.yml', `- ${alertsFile}`)
    .replace('/etc/prometheus/gatehouse-metrics-token', join(folder, 'token'))
    .replace('10.0.0.11:3000', target)
    .replace(/^ *- 10\.0\.0\.12:3000\n/m, '');
  writeFileSync(join(folder, 'prometheus.yml'), configuration);
  const port = await findFreePort();
  const origin = `http://127.0.0.1:${port}`;
  const prometheus = await launch({
    command: 'prometheus',
    args: [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    readyWhen: { url: `${origin}/-/ready` },
  });
  afterFile(() => prometheus.kill9());
  return {
    async get<T>(path: string) {
      const response = await fetch(`${origin}/api/v1/${path}`);
      const body = (await response.json()) as { status: string; error?: string; data: T };
      if (body.status !== 'success') throw new Error(`${path}: ${body.error}`);
      return body.data;
    },
  };
}
