import type { Token } from '@gatehouse/sdk';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense, useCallback, useMemo, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Empty } from '../../components/empty.tsx';
import { FilterBar, FilterToggle, SearchField } from '../../components/filter-bar.tsx';
import { Icon } from '../../components/icon.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { Panel } from '../../components/panel.tsx';
import { hasWords } from '../has-words.ts';
import { LoadedTable } from '../loaded-table.tsx';
import { NothingFound } from '../nothing-found.tsx';
import { columnsOf } from './columns.tsx';
import { tokensQuery } from './queries.ts';

const CreateDialog = lazy(async () => ({
  default: (await import('./create-dialog.tsx')).CreateDialog,
}));
const RevokeDialog = lazy(async () => ({
  default: (await import('./revoke-dialog.tsx')).RevokeDialog,
}));

const route = getRouteApi('/tokens');

export function Tokens() {
  const { name, unused, sort } = route.useSearch();
  const navigate = route.useNavigate();
  const query = useInfiniteQuery(tokensQuery);
  const [isCreating, setCreating] = useState(false);
  const [revoking, setRevoking] = useState<Token>();
  const columns = useMemo(() => columnsOf(setRevoking), []);
  const change = useCallback(
    (changed: ReturnType<typeof route.useSearch>) =>
      navigate({ search: (search) => ({ ...search, ...changed }), replace: true }),
    [navigate],
  );
  const search = useCallback((text: string) => change({ name: text || undefined }), [change]);
  return (
    <>
      <PageHead
        title="My tokens"
        sentence="Personal access tokens, with which programs act as you where nobody can sign in."
        actions={
          <Button look="primary" onClick={() => setCreating(true)}>
            <Icon name="plus" />
            Create token
          </Button>
        }
      />
      <Panel>
        <FilterBar>
          <SearchField label="Search names" value={name ?? ''} onChange={search} />
          <FilterToggle
            isOn={unused ?? false}
            onChange={(isOn) => change({ unused: isOn || undefined })}
          >
            Never used
          </FilterToggle>
        </FilterBar>
        <LoadedTable
          query={query}
          caption="My tokens"
          columns={columns}
          isShown={(token) =>
            hasWords(name, token.name) && (unused === undefined || token.lastUsedAt === null)
          }
          sort={sort}
          onSort={(value) => change({ sort: value })}
          empty={(isLoaded) => (
            <NoTokens
              isFiltered={isLoaded}
              hasMore={query.hasNextPage}
              create={() => setCreating(true)}
            />
          )}
          of="tokens"
          isSearchOfAll={false}
        />
      </Panel>
      <Suspense fallback={null}>
        {isCreating && <CreateDialog onClose={() => setCreating(false)} />}
        {revoking !== undefined && (
          <RevokeDialog token={revoking} onClose={() => setRevoking(undefined)} />
        )}
      </Suspense>
    </>
  );
}

interface NoTokensProps {
  readonly isFiltered: boolean;
  readonly hasMore: boolean;
  readonly create: () => void;
}

function NoTokens({ isFiltered, hasMore, create }: NoTokensProps) {
  if (isFiltered)
    return (
      <NothingFound sentence="No token matches these filters." hasMore={hasMore} to="/tokens" />
    );
  return (
    <Empty
      sentence="You have no token. Clients that people sign in with need none; scripts and servers do."
      action={<Button onClick={create}>Create token</Button>}
    />
  );
}
