import { type ClientScenario, runClientConformance } from '@gatehouse/harness';
import { expect, it } from 'vitest';
import { useServer } from '../support/server.ts';
import { play } from './client/play.ts';

const server = useServer();

it.each([
  { tool: '0.1.16', args: ['--suite', 'all'] },
  { tool: '0.2.0-alpha.12', args: ['--requirements', '2025-11-25'] },
  { tool: '0.2.0-alpha.12', args: ['--requirements', '2026-07-28'] },
] as const)('$tool $args', async ({ tool, args }) => {
  const times: [number, string][] = [];
  const t0 = Date.now();
  const run = await runClientConformance({ tool, args, play: async (s: ClientScenario) => { const t = Date.now(); try { await play(server, s); } finally { times.push([Date.now() - t, s.name]); } } });
  const bad = run.scenarios.map((s) => ({ name: s.name, n: s.checks.length, bad: s.checks.filter((c) => c.status === 'FAILURE' || c.status === 'WARNING').map((c) => `${c.status} ${c.id} ${c.errorMessage ?? ''} ${JSON.stringify(c.details ?? '').slice(0, 300)}`) }));
  const { writeFileSync } = await import('node:fs');
  writeFileSync(`/tmp/conf-read/out-${tool}-${args[1]}.json`, JSON.stringify({ times, ms: Date.now() - t0, exit: run.exitCode, bad, played: run.played, output: run.output }, null, 1));
  expect(run.scenarios.length).toBeGreaterThan(10);
});
