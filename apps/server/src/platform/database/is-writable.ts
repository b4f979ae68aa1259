import { Prisma } from '../../generated/prisma/client.ts';
import type { Store } from './store.ts';

const SETTING = 'transaction_read_only';

/**
 * False for a standby, or a server set to read only. Bypasses Prisma: its errors lack the driver's code.
 *
 * @throws ProblemError `database_unavailable`
 */
export async function isWritable({ statement }: Store): Promise<boolean> {
  const [row] = await statement([], () => ({
    name: 'is_writable',
    sql: Prisma.sql`SELECT current_setting(${SETTING}) = 'off' AS "isWritable"`,
  }));
  return typeof row === 'object' && row !== null && Reflect.get(row, 'isWritable') === true;
}
