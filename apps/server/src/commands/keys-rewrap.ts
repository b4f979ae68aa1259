import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { EXIT } from '../control/command-error.ts';
import type { KeyReport } from '../control/keys/key-report.ts';
import type { ReplyOf } from '../control/requests.ts';
import { ask } from './ask.ts';
import { type CommandContext, defineCommand, type Outcome } from './definition.ts';

/** Milliseconds to wait for rows that somebody has locked. */
const LOCKED_PAUSE = 200;

export const keysRewrap = defineCommand({
  name: 'keys rewrap',
  summary: 'Seal everything with the sealing key that other keys have sealed.',
  details:
    'The service goes on meanwhile. It may be ended at any moment; the next run continues. It does nothing as long as a node seals with another key.',
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
