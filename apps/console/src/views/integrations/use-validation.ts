import type { Integration } from '@gatehouse/sdk';
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect } from 'react';
import { useIsAdmin } from '../../shell/me.ts';
import { validationQuery } from './queries.ts';

export type Validation = ReturnType<typeof useValidation>;

/** Validates an integration. The view of it shows what came of it, also a failure. */
export async function validateNow(queries: QueryClient, id: string): Promise<void> {
  await queries.fetchQuery({ ...validationQuery(id), staleTime: 0 }).catch(() => undefined);
  await queries.invalidateQueries({ queryKey: ['integrations', 'one', id] });
  await queries.invalidateQueries({ queryKey: ['integrations', 'list'] });
  await queries.invalidateQueries({ queryKey: ['integrations', 'tools', id] });
}

/** Validates an integration when an admin asks, and once by itself where no validation counts. */
export function useValidation({ id, validationMessage, archivedAt }: Integration) {
  const isAdmin = useIsAdmin();
  const queries = useQueryClient();
  const { data, error, isFetching, dataUpdatedAt } = useQuery(validationQuery(id));
  const validate = useCallback(() => void validateNow(queries, id), [queries, id]);
  const isDue =
    isAdmin && archivedAt === null && validationMessage === undefined && data === undefined;
  useEffect(() => {
    if (isDue) validate();
  }, [isDue, validate]);
  return { data, error, isFetching, refetch: validate, at: dataUpdatedAt };
}
