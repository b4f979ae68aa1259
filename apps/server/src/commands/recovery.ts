import { limits, tokenScopeSchema } from '@gatehouse/contract';
import { z } from 'zod';
import { duration } from '../platform/config/schemas.ts';
import { ask } from './ask.ts';
import { defineCommand } from './definition.ts';

const SCOPES = tokenScopeSchema.options;

export const tokenCreate = defineCommand({
  name: 'token create',
  summary: 'Make a personal access token of a member, and print it once.',
  details:
    'For recovery: an owner who has lost every token gets in again. It is an ordinary token: its member sees it and can revoke it.',
  options: [
    { flags: '--email <email>', purpose: 'The email of the member.', isRequired: true },
    {
      flags: '--scopes <scopes>',
      purpose: `What it may be used for, separated by commas: ${SCOPES.join(', ')}.`,
      isRequired: true,
    },
    {
      flags: '--expires-in <duration>',
      purpose: 'When it expires, such as 12h or 30d. Without it, it does not expire.',
    },
    { flags: '--name <name>', purpose: 'What its member sees. Default: Recovery.' },
  ],
  example:
    'gatehouse token create --email owner@localhost --scopes management:read,management:write --expires-in 1d',
  input: z.object({
    email: z.string(),
    scopes: z
      .string()
      .transform((text) => text.split(',').map((scope) => scope.trim()))
      .pipe(z.array(z.enum(SCOPES, `--scopes takes ${SCOPES.join(', ')}, separated by commas.`))),
    expiresIn: z
      .string()
      .refine(
        (text) => duration.safeParse(text).success,
        '--expires-in takes a duration such as 12h or 30d.',
      )
      .transform((text) => duration.parse(text))
      .optional(),
    name: z
      .string()
      .min(1, '--name must not be empty.')
      .max(limits.name, `--name takes at most ${limits.name} characters.`)
      .default('Recovery'),
  }),
  async run({ email, scopes, expiresIn, name }, context) {
    const lifetime = expiresIn ?? null;
    const created = await ask(context, 'token-create', { email, name, scopes, lifetime });
    const { secret, expiresAt } = created;
    const until = expiresAt === null ? 'It does not expire.' : `It expires at ${expiresAt}.`;
    return { json: created, text: `${secret}\n\nIt is shown this once. ${until}` };
  },
});

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
