import { z } from 'zod';
import { ask } from './ask.ts';
import { defineCommand } from './definition.ts';

export const signInLink = defineCommand({
  name: 'sign-in-link',
  summary: 'Print a link that signs a member in, once, within 15 minutes.',
  details: 'It works for every member, even without a password.',
  arguments: [{ name: 'email', purpose: 'The email of the member.' }],
  options: [
    {
      flags: '--reset-password',
      purpose: 'Instead, the member chooses a new password with it, within an hour.',
    },
  ],
  example: 'gatehouse sign-in-link owner@localhost',
  input: z.object({ email: z.string(), resetPassword: z.boolean().default(false) }),
  async run({ email, resetPassword }, context) {
    const { url, expiresAt } = await ask(context, 'sign-in-link', {
      email,
      isReset: resetPassword,
    });
    const use = resetPassword ? 'A new password can be chosen with it' : 'It signs in';
    return { json: { url, expiresAt }, text: `${url}\n\n${use} once, until ${expiresAt}.` };
  },
});
