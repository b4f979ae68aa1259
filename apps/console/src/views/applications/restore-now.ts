import type { Application } from '@gatehouse/sdk';
import type { QueryClient } from '@tanstack/react-query';
import { gatehouse } from '../../api/gatehouse.ts';
import { say, sayProblem } from '../../components/announcements.ts';

/** Restores an application, and says so. */
export async function restoreNow(
  queries: QueryClient,
  { id, name }: Pick<Application, 'id' | 'name'>,
): Promise<void> {
  try {
    await gatehouse.applications.restore(id);
    say(`${name} is restored.`);
  } catch (error) {
    sayProblem('It is still archived.', error);
  }
  await queries.invalidateQueries({ queryKey: ['applications'] });
}
