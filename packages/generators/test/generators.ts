import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { findNewerNode } from '@gatehouse/harness';

/** A generator of clients, and a program that uses what it makes of `openapi.json`. */
export interface Generator {
  readonly name: string;
  /** The command with its arguments, to be run in the folder of `openapi.json`. */
  command(): readonly [program: string, ...args: string[]];
  /** TypeScript that exports `rename`, see {@link Rename}. */
  readonly program: string;
}

/** Creates an integration, sends back what it has read with another name, and returns that name. */
export type Rename = (baseUrl: string, token: string) => Promise<string | undefined>;

const require = createRequire(import.meta.url);

/** The path of a file in a package, which its exports need not name. */
const fileOf = (name: string, file: string): string =>
  join(dirname(require.resolve(`${name}/package.json`)), file);

const BODY = "{ name: 'Issue tracker', url: 'https://tracker.example/mcp' }";

export const generators: readonly Generator[] = [
  {
    name: 'openapi-typescript',
    command: () => [
      process.execPath,
      fileOf('openapi-typescript', 'bin/cli.js'),
      'openapi.json',
      '--output',
      'schema.d.ts',
    ],
    program: `
import createClient from 'openapi-fetch';
import type { paths } from './schema';

export async function rename(baseUrl: string, token: string) {
  const client = createClient<paths>({ baseUrl, headers: { authorization: \`Bearer \${token}\` } });
  const made = await client.POST('/integrations', { body: ${BODY} });
  if (made.error) throw new Error(made.error.code);
  const { integration } = made.data;
  const changed = await client.PATCH('/integrations/{id}', {
    params: { path: { id: integration.id } },
    body: { ...integration, name: 'Renamed' },
  });
  return changed.data?.integration.name;
}
`,
  },
  {
    name: '@hey-api/openapi-ts',
    command: () => [
      findNewerNode(),
      fileOf('@hey-api/openapi-ts', 'bin/run.js'),
      '--input',
      'openapi.json',
      '--output',
      'client',
    ],
    program: `
import { integrationsCreate, integrationsUpdate } from './client';
import { client } from './client/client.gen';

export async function rename(baseUrl: string, token: string) {
  client.setConfig({ baseUrl, auth: token });
  const made = await integrationsCreate({ body: ${BODY} });
  if (made.data === undefined) throw new Error(made.error?.code);
  const { integration } = made.data;
  const changed = await integrationsUpdate({
    path: { id: integration.id },
    body: { ...integration, name: 'Renamed' },
  });
  return changed.data?.integration.name;
}
`,
  },
  {
    name: 'orval',
    command: () => [
      findNewerNode(),
      fileOf('orval', 'dist/bin/orval.mjs'),
      '--input',
      'openapi.json',
      '--output',
      'client.ts',
    ],
    program: `
import { integrationsCreate, integrationsUpdate } from './client';

export async function rename(baseURL: string, token: string) {
  const options = { baseURL, headers: { authorization: \`Bearer \${token}\` } };
  const made = await integrationsCreate(${BODY}, options);
  const { integration } = made.data;
  const body = { ...integration, name: 'Renamed' };
  const changed = await integrationsUpdate(integration.id, body, options);
  return changed.data.integration.name;
}
`,
  },
];
