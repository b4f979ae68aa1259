import { CommandError } from '../../control/command-error.ts';
import type { KeyReport } from '../../control/keys.ts';
import type { Config } from '../../platform/config/config.ts';
import { DatabaseStartError } from '../../platform/database/start-error.ts';
import { KeyringError } from '../../vault/key-check.ts';
import { ask, hasEmbeddedDatabase } from '../ask.ts';
import type { CommandContext } from '../definition.ts';
import { error, type Finding, ok, warning } from '../findings.ts';

/** Milliseconds by which clocks may differ: leases and expiries are seconds or more. */
const CLOCK_WARNING = 2_000;
const CLOCK_ERROR = 30_000;

/** Findings about the database, and whether a server works with it. */
export interface DatabaseFindings {
  readonly findings: Finding[];
  readonly isServing: boolean;
}

/** The database, its clock, and the keys. */
export async function checkDatabase(
  context: CommandContext,
  { databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>,
): Promise<DatabaseFindings> {
  if (databaseUrl === undefined && !hasEmbeddedDatabase(dataDir)) {
    const found = ok('database', 'There is no embedded database yet: the first start makes it.');
    return { findings: [found], isServing: false };
  }
  try {
    const { kind, version, isReadOnly, clockDifference } = await ask(
      context,
      'database-status',
      {},
    );
    const name = kind === 'pglite' ? 'The embedded database' : 'PostgreSQL';
    const state = isReadOnly
      ? error('database', `${name} takes no writes.`, 'Set DATABASE_URL to the primary server.')
      : ok('database', `${name} (${version}) can be reached and has every migration.`);
    const report = await ask(context, 'keys-status', {});
    const findings = [state, checkClock(clockDifference), checkKeys(report)];
    return { findings, isServing: report.nodes.length > 0 };
  } catch (cause) {
    if (cause instanceof DatabaseStartError && cause.code === 'migrations_outstanding') {
      const remedy = 'The next start of the server applies them: make a backup before an upgrade.';
      return { findings: [warning('database', cause.message, remedy)], isServing: false };
    }
    const [about, found] = [cause instanceof KeyringError ? 'keys' : 'database', messageOf(cause)];
    const findings = [error(about, found, 'Do what this says, then check again.')];
    return { findings, isServing: false };
  }
}

/** @throws any error that is not a finding */
function messageOf(cause: unknown): string {
  const isAnswer =
    cause instanceof CommandError ||
    cause instanceof DatabaseStartError ||
    cause instanceof KeyringError;
  if (!isAnswer) throw cause;
  return cause.message;
}

function checkClock(difference: number): Finding {
  const distance = Math.abs(difference);
  const found = `The clocks of this machine and of the database differ by ${distance} ms.`;
  if (distance < CLOCK_WARNING) return ok('clock', found);
  const finding = distance < CLOCK_ERROR ? warning : error;
  return finding('clock', found, 'Have both set their clocks by NTP.');
}

function checkKeys({ keys, nodes, nextStep }: KeyReport): Finding {
  const lost = keys.filter(({ isLoaded, total }) => !isLoaded && total > 0);
  if (lost.length > 0) {
    return error('keys', `Keys are missing: ${lost.map(({ id }) => id).join(', ')}.`, nextStep);
  }
  const loaded = keys.filter(({ isLoaded }) => isLoaded);
  const counts = loaded.map(({ id, total }) => `${id} (${total} rows)`).join(', ');
  const found = `Loaded: ${counts}. Running nodes: ${nodes.length}.`;
  const isInOrder = loaded.length === 1 && loaded[0]?.missingOn.length === 0;
  return isInOrder ? ok('keys', found) : warning('keys', found, nextStep);
}
