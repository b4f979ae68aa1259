import type { Integration } from '@gatehouse/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { gatehouse } from '../../api/gatehouse.ts';
import { say, sayProblem } from '../../components/announcements.ts';

/** Archiving asks nothing, since it can be undone. */
export function useArchiving({ id, name }: Integration) {
  const queries = useQueryClient();
  const renew = () => queries.invalidateQueries({ queryKey: ['integrations'] });
  const restore = useMutation({
    mutationFn: () => gatehouse.integrations.restore(id),
    onSuccess: () => say(`${name} is restored.`),
    onError: (error) => sayProblem('It is still archived.', error),
    onSettled: renew,
  });
  const archive = useMutation({
    mutationFn: () => gatehouse.integrations.archive(id),
    onSuccess: () => say(`${name} is archived.`, () => restore.mutate()),
    onError: (error) => sayProblem('It was not archived.', error),
    onSettled: renew,
  });
  return { archive, restore };
}
