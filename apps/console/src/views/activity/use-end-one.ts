import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { gatehouse } from '../../api/gatehouse.ts';
import { say, sayProblem } from '../../components/announcements.ts';

interface OneSession {
  readonly applicationId: string;
  readonly id: string;
}

/** Ends one session at once, of an application that the person may see. */
export function useEndOne(): (session: OneSession) => void {
  const queries = useQueryClient();
  const { mutate } = useMutation({
    mutationFn: ({ applicationId, id }: OneSession) =>
      gatehouse.applications.sessions.revoke(applicationId, id),
    onSuccess: () => say('The session is ended. Its client has to begin again.'),
    onError: (error) => sayProblem('The session goes on.', error),
    onSettled: () => renewSessions(queries),
  });
  return mutate;
}

/** Reads again what shows sessions, and the numbers of them. */
export function renewSessions(queries: QueryClient): Promise<unknown> {
  return Promise.all(
    [['sessions', 'list'], ['applications']].map((queryKey) =>
      queries.invalidateQueries({ queryKey }),
    ),
  );
}
