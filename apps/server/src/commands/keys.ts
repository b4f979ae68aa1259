import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { EXIT } from '../control/command-error.ts';
import type { KeyReport, KeyState } from '../control/keys.ts';
import type { ReplyOf } from '../control/requests.ts';
import { ask } from './ask.ts';
import { type CommandContext, defineCommand, type Outcome } from './definition.ts';

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

export const keysAdd = defineCommand({
  name: 'keys add',
  summary: 'Make a new encryption key. It can read at once, and does not seal yet.',
  details:
    'With the key file of a data directory it is added there, and loaded. With GATEHOUSE_ENCRYPTION_KEYS it is printed, for you to add on every node.',
  example: 'gatehouse keys add',
  input: z.object({}),
  async run(_input, context) {
    const added = await ask(context, 'keys-add', {});
    const { id, value } = added;
    const nextStep =
      value === undefined
        ? `gatehouse keys activate ${id}`
        : `Add it at the end of GATEHOUSE_ENCRYPTION_KEYS on every node, and restart node by node. Then: gatehouse keys activate ${id}`;
    const text = value === undefined ? `The key ${id} is loaded.` : value;
    return { json: { ...added, nextStep }, text: `${text}\n\nNext: ${nextStep}` };
  },
});

export const keysActivate = defineCommand({
  name: 'keys activate',
  summary: 'Make a key the one that seals, if every node can read with it.',
  details:
    'With GATEHOUSE_ENCRYPTION_KEYS it changes nothing: it says whether you may put the key first.',
  arguments: [{ name: 'id', purpose: 'The id of the key.' }],
  example: 'gatehouse keys activate 2026-11-23-1f8a04c2',
  input: z.object({ id: z.string() }),
  async run({ id }, context) {
    const { isActive } = await ask(context, 'keys-activate', { id });
    const nextStep = isActive
      ? 'gatehouse keys rewrap'
      : `Put ${id} first in GATEHOUSE_ENCRYPTION_KEYS on every node, and restart node by node. Then: gatehouse keys rewrap`;
    const text = isActive ? `The key ${id} seals.` : `Every node has ${id}.`;
    return { json: { id, isActive, nextStep }, text: `${text}\n\nNext: ${nextStep}` };
  },
});

/** Milliseconds to wait for locked rows. */
const LOCKED_PAUSE = 200;

export const keysRewrap = defineCommand({
  name: 'keys rewrap',
  summary: 'Seal everything with the sealing key that other keys have sealed.',
  details:
    'The service keeps running. You may stop this command at any time; the next run continues. It does nothing while a node seals with another key.',
  example: 'gatehouse keys rewrap',
  input: z.object({}),
  async run(_input, context) {
    const { toDo } = countsOf(await ask(context, 'keys-status', {}));
    let rewrapped = 0;
    for (;;) {
      const slice = await ask(context, 'keys-rewrap', {});
      rewrapped += slice.rewrapped;
      if (slice.isDone) return finish(context, rewrapped, slice);
      context.progress.report(`${number(rewrapped)} of ${number(toDo)} rows`);
      if (slice.rewrapped === 0) await delay(LOCKED_PAUSE);
    }
  },
});

async function finish(
  context: CommandContext,
  rewrapped: number,
  { unreadable, named }: ReplyOf<'keys-rewrap'>,
): Promise<Outcome> {
  const report = await ask(context, 'keys-status', {});
  const { toDo: left, sealingKeyId } = countsOf(report);
  const lines = [
    `${number(rewrapped)} rows were sealed with ${sealingKeyId}; ${number(left)} are left.`,
    ...(unreadable === 0 ? [] : [`${number(unreadable)} rows do not open with their key:`]),
    ...named.map(({ table, id, keyId }) => `  ${table} ${id} (${keyId})`),
  ];
  return {
    json: { sealingKeyId, rewrapped, left, unreadable, named, nextStep: report.nextStep },
    text: [...lines, '', `Next: ${report.nextStep}`].join('\n'),
    exitCode: left === 0 ? EXIT.done : EXIT.failed,
  };
}

function countsOf({ keys }: KeyReport): { toDo: number; sealingKeyId: string } {
  const toDo = keys.filter(({ isSealing }) => !isSealing).reduce((sum, key) => sum + key.total, 0);
  return { toDo, sealingKeyId: keys.find(({ isSealing }) => isSealing)?.id ?? '' };
}

function number(count: number): string {
  return count.toLocaleString('en');
}

export const keysRetire = defineCommand({
  name: 'keys retire',
  summary: 'Give up a key when nothing is sealed with it and no node uses it for sealing.',
  details:
    'With the key file of a data directory it is removed there. With GATEHOUSE_ENCRYPTION_KEYS you remove it afterwards, on every node. A retired key never seals again.',
  arguments: [{ name: 'id', purpose: 'The id of the key.' }],
  options: [
    {
      flags: '--now',
      purpose:
        'Also when requests of the last 24 hours could no longer be recognized if a client repeats them.',
    },
  ],
  example: 'gatehouse keys retire 2026-01-07-77b1e9d0',
  input: z.object({ id: z.string(), now: z.boolean().default(false) }),
  async run({ id, now }, context) {
    for (;;) {
      const { waitSeconds, isRemoved } = await ask(context, 'keys-retire', { id, isUrgent: now });
      if (waitSeconds === 0) {
        const nextStep = isRemoved
          ? 'Make a new backup: an older one needs the older key.'
          : `Remove ${id} from GATEHOUSE_ENCRYPTION_KEYS on every node, and restart node by node.`;
        const text = `The key ${id} is retired.\n\nNext: ${nextStep}`;
        return { json: { id, isRemoved, nextStep }, text };
      }
      context.progress.report(`Waiting ${waitSeconds} s for what was sealed before the change`);
      await delay(1_000);
    }
  },
});
