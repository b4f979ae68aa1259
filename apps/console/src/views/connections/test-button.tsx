import type { Integration } from '@gatehouse/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { gatehouse } from '../../api/gatehouse.ts';
import { say, sayProblem } from '../../components/announcements.ts';
import { Button } from '../../components/button.tsx';

/** Tries the person's credential at the server, and says in a sentence what came of it. */
export function TestButton({ integration: { id, name } }: { integration: Integration }) {
  const queries = useQueryClient();
  const test = useMutation({
    mutationFn: () =>
      gatehouse.request('POST', '/integrations/:id/connection/test', { params: { id } }),
    onSuccess: ({ message }) => say(`${name}: ${message}`),
    onError: (error) => sayProblem(`${name} could not be tested.`, error),
    onSettled: () => queries.invalidateQueries({ queryKey: ['integrations'] }),
  });
  return (
    <Button
      size="small"
      look="plain"
      aria-label={`Test ${name}`}
      isBusy={test.isPending}
      onClick={() => test.mutate()}
    >
      {test.isPending ? 'Testing…' : 'Test'}
    </Button>
  );
}
