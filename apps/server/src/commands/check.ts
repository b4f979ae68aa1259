import { z } from 'zod';
import { origin } from '../platform/config/schemas.ts';
import { checkConfiguration } from './check/configuration.ts';
import { checkDataDirectory } from './check/data-directory.ts';
import { checkDatabase } from './check/database.ts';
import { defineCommand } from './definition.ts';
import { outcomeOf } from './findings.ts';

export const check = defineCommand({
  name: 'check',
  summary: 'Check settings, database, clock, keys, disk and the public URL, and say what to do.',
  details:
    'Give it the settings of the server. It runs beside a server and without one, and changes nothing. It ends with 4 when it found an error.',
  example: 'gatehouse check',
  input: z.object({}),
  async run(_input, context) {
    const { config, findings } = checkConfiguration(context.environment);
    if (config === undefined) return outcomeOf(findings);
    context.progress.report('Looking at the database');
    const { dataDir, databaseUrl, publicUrl } = config;
    const database = await checkDatabase(context, config);
    const directory = await checkDataDirectory(dataDir, databaseUrl === undefined);
    context.progress.report('Looking at the public URL');
    const { isServing } = database;
    const { checkPublicUrl } = await import('./check/public-url.ts');
    const outside = await checkPublicUrl(publicUrl, { isWhole: false, isServing });
    return outcomeOf([...findings, ...database.findings, ...directory, ...outside]);
  },
});

export const doctor = defineCommand({
  name: 'doctor',
  summary: 'Look at a running service from outside, as its clients reach it.',
  details:
    'It needs no settings, and runs on any machine: name resolution, TLS, health, metadata, the Host header, challenges, the size of requests that a proxy lets pass, whether it passes events on at once, and the clock. It ends with 4 when it found an error.',
  options: [
    { flags: '--url <url>', purpose: 'The public URL of the service.', isRequired: true },
    {
      flags: '--token <token>',
      purpose:
        'A personal access token, to be tried too. Better give it as GATEHOUSE_ACCESS_TOKEN: other users of the machine can read arguments.',
    },
  ],
  example: 'gatehouse doctor --url https://gatehouse.example.com',
  input: z.object({
    url: z
      .string()
      .refine(
        (text) => origin.safeParse(text).success,
        '--url takes an origin such as https://gatehouse.example.com, without a path.',
      )
      .transform((text) => origin.parse(text)),
    token: z
      .string()
      .regex(/^[\x21-\x7e]+$/, '--token takes a token.')
      .optional(),
  }),
  async run({ url, token }, { environment, progress }) {
    progress.report(`Looking at ${url}`);
    const { checkPublicUrl } = await import('./check/public-url.ts');
    const given = token ?? (environment.GATEHOUSE_ACCESS_TOKEN?.trim() || undefined);
    return outcomeOf(await checkPublicUrl(url, { isWhole: true, isServing: true, token: given }));
  },
});
