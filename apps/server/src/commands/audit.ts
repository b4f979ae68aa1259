import { z } from 'zod';
import { defineCommand } from './definition.ts';

const HEAD = /^(?<run>[0-9a-f-]{36}):(?<number>[1-9]\d{0,14}):(?<hash>[0-9a-f]{64})$/;

const head = z
  .string()
  .regex(HEAD, '--head takes <run>:<number>:<hash>, as a server logs it.')
  .transform((text) => {
    const [run = '', number = '', hash = ''] = text.split(':');
    return { run, number: Number(number), hash };
  });

export const auditVerify = defineCommand({
  name: 'audit verify',
  summary: 'Say whether an export of the audit is whole and unchanged.',
  details:
    'It needs no settings, no database and no secret, and runs on any machine. Without --key it only says that the file agrees with itself. Without --head it cannot show that a holder of the signing key has written everything again. It names the runs that ended by a crash, which is no fault. It ends with 4 when something is missing or changed.',
  arguments: [{ name: 'file', purpose: 'The export.' }],
  options: [
    {
      flags: '--key <key>',
      purpose:
        'A public key that you trust, or a file with it. Keys that it has signed, and those that they have signed, are trusted too.',
    },
    {
      flags: '--head <head...>',
      purpose: 'Blocks that the export must have, as you kept them: <run>:<number>:<hash>.',
    },
  ],
  example: 'gatehouse audit verify audit.ndjson --key audit.pub',
  input: z.object({
    file: z.string(),
    key: z.string().optional(),
    head: z.array(head).max(1_000, '--head takes 1,000 heads at most.').default([]),
  }),
  async run({ file, key, head: heads }) {
    const { readKey, verifyFile } = await import('./audit/verify-file.ts');
    const { reportOutcome } = await import('./audit/report-outcome.ts');
    const trusted = key === undefined ? undefined : await readKey(key);
    return reportOutcome(await verifyFile(file, { key: trusted, heads }));
  },
});
