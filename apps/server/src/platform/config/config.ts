import { isIP } from 'node:net';
import type { z } from 'zod';
import { OperatorError } from '../operator-error.ts';
import { fileVariable, readSecret } from './secret-file.ts';
import { SETTINGS, type Setting } from './settings.ts';

type Values = {
  readonly [Key in keyof typeof SETTINGS]: z.output<(typeof SETTINGS)[Key]['schema']>;
};

/** The server's configuration. Durations are in milliseconds. */
export interface Config extends Omit<Values, 'publicUrl' | 'allowedOrigins'> {
  /** An origin without a trailing slash. */
  readonly publicUrl: string;
  readonly allowedOrigins: readonly string[];
}

/** The message has one line for each wrong variable. It never quotes a value, which may be a secret. */
export class ConfigError extends OperatorError {
  override readonly name = 'ConfigError';
}

/**
 * Reads the configuration from environment variables, and secrets also from the files that variables
 * name. An empty variable counts as not set.
 *
 * @throws ConfigError naming every wrong variable and its expected value.
 */
export function loadConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  return complete(readSettings(environment, Object.keys(SETTINGS) as (keyof Values)[]));
}

const OF_STORAGE = ['databaseUrl', 'dataDir', 'encryptionKeys'] as const;

/**
 * The location of the data and its keys, for commands that need nothing else. With a database, the keys
 * may be missing.
 *
 * @throws ConfigError
 */
export function loadStorage(
  environment: Readonly<Record<string, string | undefined>>,
): Pick<Config, (typeof OF_STORAGE)[number]> {
  return readSettings(environment, OF_STORAGE);
}

function readSettings<Key extends keyof Values>(
  environment: Readonly<Record<string, string | undefined>>,
  keys: readonly Key[],
): Pick<Values, Key> {
  const values: Record<string, unknown> = {};
  const wrong: string[] = [];
  for (const key of keys) {
    const { name, expected, schema, isSecret, mayBeEmpty }: Setting<unknown> = SETTINGS[key];
    const given = isSecret
      ? readSecret(name, environment, { mayBeEmpty })
      : { text: environment[name]?.trim() || undefined };
    const parsed = 'wrong' in given ? undefined : schema.safeParse(given.text);
    if (parsed?.success) values[key] = parsed.data;
    else wrong.push('wrong' in given ? given.wrong : `${name}: expected ${expected}.`);
  }
  if (wrong.length > 0) throw new ConfigError(wrong.join('\n'));
  return values as Pick<Values, Key>;
}

/** Variables of the SDK, examples and commands, which may be set beside the server's. */
const OF_CLIENTS = new Set([
  'GATEHOUSE_BASE_URL',
  'GATEHOUSE_ACCESS_TOKEN',
  'GATEHOUSE_BACKUP_PASSPHRASE',
]);

/** The names of variables that look like settings but are not, such as misspelt ones. */
export function unknownVariables(
  environment: Readonly<Record<string, string | undefined>>,
): string[] {
  const known = new Set(
    Object.values(SETTINGS).flatMap(({ name, isSecret }) =>
      isSecret ? [name, fileVariable(name)] : [name],
    ),
  );
  return Object.keys(environment)
    .filter((name) => name.startsWith('GATEHOUSE_') && !known.has(name) && !OF_CLIENTS.has(name))
    .sort();
}

/** Whether the database is a PostgreSQL, named by its variable or by a file. */
export function hasDatabaseUrl(environment: Readonly<Record<string, string | undefined>>): boolean {
  const { name } = SETTINGS.databaseUrl;
  return [name, fileVariable(name)].some((variable) => Boolean(environment[variable]?.trim()));
}

/** Only the data directory, for commands that ask a server with the whole configuration. */
export function loadDataDir({
  GATEHOUSE_DATA_DIR,
}: Readonly<Record<string, string | undefined>>): string {
  return SETTINGS.dataDir.schema.parse(GATEHOUSE_DATA_DIR?.trim() || undefined);
}

function complete(values: Values): Config {
  const wrong: string[] = [];
  const { name, expected } = SETTINGS.publicUrl;
  if (values.publicUrl === undefined && !isLoopback(values.host)) {
    wrong.push(
      `${name}: expected ${expected}; required because GATEHOUSE_HOST is not a loopback address.`,
    );
  } else if (values.publicUrl === undefined && values.port === 0) {
    wrong.push(`${name}: expected ${expected}; required because GATEHOUSE_PORT is 0.`);
  }
  if (values.databaseUrl !== undefined && values.encryptionKeys === undefined) {
    const keys = SETTINGS.encryptionKeys;
    wrong.push(`${keys.name}: expected ${keys.expected}; required with DATABASE_URL.`);
  }
  wrong.push(...wrongSignIn(values));
  if (wrong.length > 0) throw new ConfigError(wrong.join('\n'));
  const publicUrl = values.publicUrl ?? localUrl(values);
  return { ...values, publicUrl, allowedOrigins: values.allowedOrigins ?? [publicUrl] };
}

/** Without these settings nobody could sign in, or the provider could not be reached. */
function wrongSignIn(values: Values): string[] {
  const { oidcIssuer, oidcClientId, oidcClientSecret, passwordSignIn } = SETTINGS;
  const isMissing = (key: 'oidcIssuer' | 'oidcClientId' | 'oidcClientSecret') =>
    values[key] === undefined;
  const needed = (setting: typeof oidcIssuer, by: string) =>
    `${setting.name}: expected ${setting.expected}; required with ${by}.`;
  if (isMissing('oidcIssuer')) {
    if (!values.passwordSignIn) return [needed(oidcIssuer, `${passwordSignIn.name}=off`)];
    const given = isMissing('oidcClientId') ? oidcClientSecret : oidcClientId;
    const isAlone = isMissing('oidcClientId') && isMissing('oidcClientSecret');
    return isAlone ? [] : [needed(oidcIssuer, given.name)];
  }
  return [
    ...(isMissing('oidcClientId') ? [needed(oidcClientId, oidcIssuer.name)] : []),
    ...(isMissing('oidcClientSecret') ? [needed(oidcClientSecret, oidcIssuer.name)] : []),
  ];
}

/** Whether only this machine reaches a server at this address. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

function localUrl({ host, port }: Values): string {
  return new URL(`http://${host === '::1' ? '[::1]' : '127.0.0.1'}:${port}`).origin;
}
