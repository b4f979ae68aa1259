import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { ask } from './ask.ts';
import { defineCommand } from './definition.ts';

export const keysRetire = defineCommand({
  name: 'keys retire',
  summary: 'Give up a key, once nothing is sealed with it and no node seals with it.',
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
