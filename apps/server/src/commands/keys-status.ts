import { z } from 'zod';
import type { KeyReport, KeyState } from '../control/keys/key-report.ts';
import { ask } from './ask.ts';
import { defineCommand } from './definition.ts';

export const keysStatus = defineCommand({
  name: 'keys status',
  summary:
    'Say which encryption keys are loaded where, what they have sealed, and what to do next.',
  example: 'gatehouse keys status',
  input: z.object({}),
  async run(_input, context) {
    const report = await ask(context, 'keys-status', {});
    return { json: report, text: textOf(report) };
  },
});

function textOf({ keys, nodes, nextStep }: KeyReport): string {
  const names = nodes.map(({ name, version }) => `${name} (${version})`);
  const running = names.length === 0 ? 'No node runs.' : `Nodes: ${names.join(', ')}`;
  return [...keys.map(keyText), '', running, '', `Next: ${nextStep}`].join('\n');
}

function keyText(key: KeyState): string {
  const rows = Object.entries(key.rows).map(([table, count]) => `${table} ${count}`);
  const sealed = rows.length === 0 ? 'nothing is sealed with it' : rows.join(', ');
  const missing = key.missingOn.length === 0 ? '' : `; not on ${key.missingOn.join(', ')}`;
  return `${key.id}: ${useOf(key)}; ${sealed}${missing}`;
}

function useOf({ isRetired, isSealing, isLoaded }: KeyState): string {
  if (isRetired) return 'retired';
  if (isSealing) return 'seals';
  return isLoaded ? 'reads' : 'not loaded here';
}
