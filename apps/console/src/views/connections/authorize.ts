import type { Integration } from '@gatehouse/sdk';
import { useMutation } from '@tanstack/react-query';
import { gatehouse } from '../../api/gatehouse.ts';
import { sayProblem } from '../../components/announcements.ts';

/** Goes to the page of the service that sends a person to the provider, and comes back here. */
export function useAuthorize({ id, name }: Pick<Integration, 'id' | 'name'>) {
  return useMutation({
    mutationFn: () =>
      gatehouse.request('POST', '/integrations/:id/connection/authorize', {
        params: { id },
        body: { returnTo: location.href },
      }),
    onSuccess: ({ authorizationUrl }) => location.assign(authorizationUrl),
    onError: (error) => sayProblem(`${name} is not connected.`, error),
  });
}
