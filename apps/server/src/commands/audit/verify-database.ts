import { exportAudit } from '../../audit/exporting/export-audit.ts';
import type { Report } from '../../audit/verify/report.ts';
import { type VerifyOptions, verifyExport } from '../../audit/verify/verify-export.ts';
import type { CommandContext } from '../definition.ts';
import { withAudit } from './with-audit.ts';

/** Verifies everything that the database has. */
export function verifyDatabase(options: VerifyOptions, context: CommandContext): Promise<Report> {
  const request = { organizationId: null, writtenBy: context.version };
  return withAudit(context, (deps) => verifyExport(exportAudit(deps, request), options));
}
