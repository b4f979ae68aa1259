import type { Token } from '@gatehouse/sdk';
import type { ReactNode } from 'react';
import { Button } from '../../components/button.tsx';
import type { Column } from '../../components/sort-rows.ts';
import { Status } from '../../components/status.tsx';
import { Time } from '../../components/time.tsx';
import { timeColumn } from '../time-column.tsx';
import { isExpired } from './expiry.ts';

const words = new Intl.ListFormat('en', { type: 'conjunction' });

function LastUsed({ lastUsedAt }: Token) {
  return lastUsedAt === null ? 'Never used' : <Time at={lastUsedAt} />;
}

function Expires({ expiresAt }: Token) {
  if (expiresAt === null) return 'Never';
  if (isExpired(expiresAt, Date.now())) return <Status tone="idle">Expired</Status>;
  return <Time at={expiresAt} />;
}

/** @param onRevoke asks whether to revoke a token */
export function columnsOf(onRevoke: (token: Token) => void): readonly Column<Token, ReactNode>[] {
  return [
    {
      id: 'name',
      header: 'Token',
      sortBy: ({ name }) => name,
      cell: (token) => (
        <span className="block min-w-0 py-1.5">
          <span className="foreign line-clamp-2 max-w-[44ch] font-medium">{token.name}</span>
          <span className="block text-12 text-ink-2">{words.format(token.scopes)}</span>
          <span className="block text-12 text-ink-3 wide:hidden">
            Used: <LastUsed {...token} />. Expires: <Expires {...token} />
          </span>
        </span>
      ),
    },
    {
      id: 'used',
      header: 'Last used',
      isOptional: true,
      sortBy: ({ lastUsedAt }) => lastUsedAt ?? '',
      cell: (token) => (
        <span className="text-ink-2">
          <LastUsed {...token} />
        </span>
      ),
    },
    {
      id: 'expires',
      header: 'Expires',
      isOptional: true,
      sortBy: ({ expiresAt }) => expiresAt ?? '~',
      cell: (token) => (
        <span className="text-ink-2">
          <Expires {...token} />
        </span>
      ),
    },
    timeColumn({ id: 'created', header: 'Created', timeOf: ({ createdAt }) => createdAt }),
    {
      id: 'revoke',
      header: 'Actions',
      isHeaderHidden: true,
      align: 'right',
      cell: (token) => (
        <Button size="small" aria-label={`Revoke ${token.name}`} onClick={() => onRevoke(token)}>
          Revoke
        </Button>
      ),
    },
  ];
}
