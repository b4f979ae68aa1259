import type { Application, Integration } from '@gatehouse/sdk';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { gatehouse } from '../../api/gatehouse.ts';
import { sayProblem } from '../../components/announcements.ts';
import { Button } from '../../components/button.tsx';
import { Empty } from '../../components/empty.tsx';
import { Load } from '../../components/load.tsx';
import { Logo } from '../../components/logo.tsx';
import { MorePages } from '../../components/more-pages.tsx';
import { SkeletonRows } from '../../components/skeleton.tsx';
import { integrationsQuery } from '../integrations/queries.ts';
import { IntegrationStatus } from '../integrations/status.tsx';
import { itemsOf } from '../pages.ts';
import { SearchDialog } from '../search-dialog.tsx';

interface AttachDialogProps {
  readonly application: Application;
  readonly onClose: () => void;
}

/** Picks what an application may use, one after the other. */
export function AttachDialog({ application, onClose }: AttachDialogProps) {
  const { id, name, integrations } = application;
  const [searched, setSearched] = useState('');
  const query = useInfiniteQuery(integrationsQuery({ name: searched || undefined }));
  const queries = useQueryClient();
  const attach = useMutation({
    mutationFn: (integration: Integration) =>
      gatehouse.applications.integrations.attach(id, integration.id),
    onError: (error) => sayProblem('It was not attached.', error),
    onSettled: () => queries.invalidateQueries({ queryKey: ['applications'] }),
  });
  const attached = new Set(integrations.map((each) => each.id));
  return (
    <SearchDialog
      title={`Attach to ${name}`}
      label="Search names"
      searched={searched}
      onSearch={setSearched}
      onClose={onClose}
    >
      <Load query={query} skeleton={<SkeletonRows rows={4} />}>
        {(data) => {
          const found = itemsOf(data);
          const open = found.filter((integration) => !attached.has(integration.id));
          return (
            <>
              {open.length === 0 && (
                <Empty sentence={emptyOf(found.length, searched, query.hasNextPage)} />
              )}
              <ul>
                {open.map((integration) => (
                  <li
                    key={integration.id}
                    className="flex min-h-11 items-center gap-2.5 border-b border-line px-4 py-1 last:border-b-0"
                  >
                    <Logo name={integration.name} />
                    <span className="foreign line-clamp-1 flex-1">{integration.name}</span>
                    <IntegrationStatus integration={integration} />
                    <Button
                      size="small"
                      aria-label={`Attach ${integration.name}`}
                      onClick={() => attach.mutate(integration)}
                    >
                      Attach
                    </Button>
                  </li>
                ))}
              </ul>
              <MorePages
                query={query}
                loaded={found.length}
                of="integrations"
                note="The search finds all of them."
              />
            </>
          );
        }}
      </Load>
    </SearchDialog>
  );
}

function emptyOf(found: number, searched: string, hasMore: boolean): string {
  if (hasMore) return 'Everything that is loaded is attached.';
  if (searched === '')
    return found === 0 ? 'There is no integration yet.' : 'Everything is attached.';
  return found === 0 ? 'No integration has this name.' : 'Everything with this name is attached.';
}
