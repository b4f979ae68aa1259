import { z } from 'zod';
import { defineCommand } from './definition.ts';

export const versionCommand = defineCommand({
  name: 'version',
  summary: 'Print the version.',
  example: 'gatehouse version',
  input: z.object({}),
  run: (_input, { version }) => Promise.resolve({ json: { version }, text: version }),
});
