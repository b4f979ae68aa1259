import { z } from 'zod';
import { ask } from './ask.ts';
import { defineCommand } from './definition.ts';

const HEAD = /^(?<run>[0-9a-f-]{36}):(?<number>[1-9]\d{0,14}):(?<hash>[0-9a-f]{64})$/;

const head = z
  .string()
  .regex(HEAD, '--head takes <run>:<number>:<hash>, as a server logs it, after the file.')
  .transform((text) => {
    const [run = '', number = '', hash = ''] = text.split(':');
    return { run, number: Number(number), hash };
  });

export const auditVerify = defineCommand({
  name: 'audit verify',
  summary: 'Say whether the audit, or an export of it, is whole and unchanged.',
  details:
    'With a file it needs no settings, no database and no secret, and runs on any machine. Without one it reads the database, and trusts the keys there. Without --key it only says that the file agrees with itself. Without --head it cannot show that a holder of the signing key has written everything again. It says of what the file is, and of each run of a node its blocks, their times and its end; a crash is no fault. It ends with 4 when something is missing or changed.',
  arguments: [{ name: 'file', purpose: 'The export.', isOptional: true }],
  options: [
    {
      flags: '--key <key>',
      purpose:
        'A public key that you trust, or a file with it. Keys that it has signed, and those that they have signed, are trusted too.',
    },
    {
      flags: '--head <head...>',
      purpose:
        'Blocks that the export must have, as you kept them: <run>:<number>:<hash>. Write the file before them.',
    },
  ],
  example: 'gatehouse audit verify audit.ndjson --key audit.pub',
  input: z.object({
    file: z.string().optional(),
    key: z.string().optional(),
    head: z.array(head).max(1_000, '--head takes 1,000 heads at most.').default([]),
  }),
  async run({ file, key, head: heads }, context) {
    const { readKey, verifyFile } = await import('./audit/verify-file.ts');
    const { reportOutcome } = await import('./audit/report-outcome.ts');
    const options = { key: key === undefined ? undefined : await readKey(key), heads };
    if (file !== undefined) return reportOutcome(await verifyFile(file, options));
    const { verifyDatabase } = await import('./audit/verify-database.ts');
    return reportOutcome(await verifyDatabase(options, context));
  },
});

const time = z.iso.datetime({
  offset: true,
  error: '--from and --to take times such as 2026-11-27T00:00:00Z.',
});

export const auditExport = defineCommand({
  name: 'audit export',
  summary: 'Write the audit of all organizations into a file that `audit verify` reads.',
  details:
    'NDJSON: keys and last blocks first, then the blocks of each run with their events, then the counts, signed. It has one moment, and an event tells of it.',
  arguments: [{ name: 'file', purpose: 'The file to write.' }],
  options: [
    { flags: '--from <time>', purpose: 'Only blocks made at this time or later.' },
    { flags: '--to <time>', purpose: 'Only blocks made before this time.' },
    { flags: '--force', purpose: 'Replace the file if it exists.' },
  ],
  example: 'gatehouse audit export audit.ndjson',
  input: z.object({
    file: z.string().min(1),
    from: time.optional(),
    to: time.optional(),
    force: z.boolean().default(false),
  }),
  async run({ file, from, to, force }, context) {
    await ask(context, 'audit-exporting', {});
    const { exportFile } = await import('./audit/export-file.ts');
    const request = { organizationId: null, from, to, writtenBy: context.version };
    await exportFile(file, force, request, context);
    return {
      json: { file },
      text: `${file} has the audit. To check it, a reader needs the key that \`gatehouse audit key\` prints.`,
    };
  },
});

export const auditKey = defineCommand({
  name: 'audit key',
  summary: 'Print the public key with which the audit can be verified.',
  details:
    'It is the first key of the installation: it has signed the next one, and so on. Keep it elsewhere: then nobody who holds this installation can change what you trust.',
  example: 'gatehouse audit key > audit.pub',
  input: z.object({}),
  async run(_input, context) {
    const key = await ask(context, 'audit-key', {});
    return { json: key, text: key.publicKey };
  },
});

export const auditNewKey = defineCommand({
  name: 'audit new-key',
  summary: 'Make the key that signs the audit from now on.',
  details:
    'The present key signs it, so those who trust an earlier one need nothing new. Every node signs with it within half a minute.',
  example: 'gatehouse audit new-key',
  input: z.object({}),
  async run(_input, context) {
    const key = await ask(context, 'audit-new-key', {});
    return { json: key, text: key.publicKey };
  },
});
