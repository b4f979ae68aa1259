import { readSnapshot } from '../../audit/exporting/snapshot.ts';
import type { Report, VerifyOptions } from '../../audit/verify/report.ts';
import { verifySnapshot } from '../../audit/verify/verify-snapshot.ts';
import type { CommandContext } from '../definition.ts';
import { withAudit } from './with-audit.ts';

/** Verifies everything that the database has. */
export function verifyDatabase(options: VerifyOptions, context: CommandContext): Promise<Report> {
  const request = { organizationId: null, writtenBy: context.version };
  return withAudit(context, async (deps) =>
    verifySnapshot(await readSnapshot(deps, request), options),
  );
}
