import { getRouteApi } from '@tanstack/react-router';
import { useCallback } from 'react';

const route = getRouteApi('/applications/$id');
type Asked = ReturnType<typeof route.useSearch>['ask'];

/** Opens a dialog of the application, or closes it: the URL says which. */
export function useAsk(): (asked: Asked) => void {
  const navigate = route.useNavigate();
  return useCallback(
    (asked) => void navigate({ search: (search) => ({ ...search, ask: asked }), replace: true }),
    [navigate],
  );
}
