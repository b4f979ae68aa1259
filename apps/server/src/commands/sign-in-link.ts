import { z } from 'zod';
import { ask } from './ask.ts';
import { defineCommand } from './definition.ts';

export const signInLink = defineCommand({
  name: 'sign-in-link',
  summary: 'Print a link that signs a member in, once, within 15 minutes.',
  details: 'It works for every member, also for one who has no password or has forgotten it.',
  arguments: [{ name: 'email', purpose: 'The email of the member.' }],
  example: 'gatehouse sign-in-link owner@localhost',
  input: z.object({ email: z.string() }),
  async run({ email }, context) {
    const { url, expiresAt } = await ask(context, 'sign-in-link', { email });
    return { json: { url, expiresAt }, text: `${url}\n\nIt signs in once, until ${expiresAt}.` };
  },
});
