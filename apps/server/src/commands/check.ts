import { z } from 'zod';
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
