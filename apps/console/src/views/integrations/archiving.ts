import type { Integration } from '@gatehouse/sdk';
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { gatehouse } from '../../api/gatehouse.ts';
import { say, sayProblem } from '../../components/announcements.ts';

type Named = Pick<Integration, 'id' | 'name'>;

/** Archives an integration, and offers to undo it. */
export async function archiveNow(queries: QueryClient, integration: Named): Promise<void> {
  const { id, name } = integration;
  try {
    await gatehouse.integrations.archive(id);
    say(`${name} is archived.`, () => void restoreNow(queries, integration));
  } catch (error) {
    sayProblem('It was not archived.', error);
  }
  await queries.invalidateQueries({ queryKey: ['integrations'] });
}

export async function restoreNow(queries: QueryClient, { id, name }: Named): Promise<void> {
  try {
    await gatehouse.integrations.restore(id);
    say(`${name} is restored.`);
  } catch (error) {
    sayProblem('It is still archived.', error);
  }
  await queries.invalidateQueries({ queryKey: ['integrations'] });
}

/** Archiving asks nothing, since it can be undone. */
export function useArchiving(integration: Integration) {
  const queries = useQueryClient();
  const restore = useMutation({ mutationFn: () => restoreNow(queries, integration) });
  const archive = useMutation({ mutationFn: () => archiveNow(queries, integration) });
  return { archive, restore };
}
