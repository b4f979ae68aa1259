import type { Integration } from '@gatehouse/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect } from 'react';
import { useIsAdmin } from '../../shell/me.ts';
import { validationQuery } from './queries.ts';

export type Validation = ReturnType<typeof useValidation>;

/** Validates an integration when an admin asks, and once by itself where no validation counts. */
export function useValidation({ id, validationMessage, archivedAt }: Integration) {
  const isAdmin = useIsAdmin();
  const queries = useQueryClient();
  const { data, error, isFetching, refetch, dataUpdatedAt } = useQuery(validationQuery(id));
  const validate = useCallback(async () => {
    await refetch({ cancelRefetch: false });
    await queries.invalidateQueries({ queryKey: ['integrations', 'one', id] });
    await queries.invalidateQueries({ queryKey: ['integrations', 'list'] });
    await queries.invalidateQueries({ queryKey: ['integrations', 'tools', id] });
  }, [refetch, queries, id]);
  const isDue =
    isAdmin && archivedAt === null && validationMessage === undefined && data === undefined;
  useEffect(() => {
    if (isDue) void validate();
  }, [isDue, validate]);
  return { data, error, isFetching, refetch: () => void validate(), at: dataUpdatedAt };
}
