import type { Integration } from '../../generated/prisma/client.ts';
import { ProblemError } from '../../platform/problem-error.ts';

/** An archived integration is read, restored and emptied of credentials, nothing else. @throws ProblemError `archived` */
export function requireActive({ archivedAt }: Pick<Integration, 'archivedAt'>): void {
  if (archivedAt === null) return;
  throw new ProblemError('archived', 'The integration is archived. Restore it first.');
}
