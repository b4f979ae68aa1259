import type { Db } from '../../platform/database/store.ts';
import type { RunHead } from '../block.ts';

/**
 * The number of the first block of a run that was made at a time or later; one more than the last if there is no such block. The
 * times of a run never go back, so that the numbers are halved again and again.
 */
export async function findFirstSince(
  db: Db,
  { run, number: last }: RunHead,
  since: string,
): Promise<number> {
  const oldest = await db.auditBlock.findFirst({
    where: { run },
    orderBy: { number: 'asc' },
    select: { number: true },
  });
  let [low, high] = [oldest?.number ?? last + 1, last + 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const block = await db.auditBlock.findUnique({
      where: { run_number: { run, number: middle } },
      select: { at: true },
    });
    if (block !== null && block.at >= new Date(since)) high = middle;
    else low = middle + 1;
  }
  return low;
}
