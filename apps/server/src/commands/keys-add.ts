import { z } from 'zod';
import { ask } from './ask.ts';
import { defineCommand } from './definition.ts';

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
