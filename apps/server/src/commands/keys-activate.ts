import { z } from 'zod';
import { ask } from './ask.ts';
import { defineCommand } from './definition.ts';

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
