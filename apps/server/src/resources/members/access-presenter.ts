import type { MemberAccess } from '@gatehouse/contract';
import { presentFoundSession } from '../sessions/presenter.ts';
import type { AccessRow, Newest } from './access-repository.ts';
import type { MemberHoldings } from './access-service.ts';

export function presentAccess({
  lists,
  grantTokens,
  consents,
  rules,
  open,
  recentSessions,
}: MemberHoldings): MemberAccess {
  const { sessions, leases, streams } = open;
  return {
    connections: presentList(lists.connections),
    tokens: presentList(lists.tokens),
    grants: presentList(lists.grants),
    grantTokens,
    consents,
    sessions: { sessions, leases, streams },
    recentSessions: recentSessions.map(presentFoundSession),
    groups: presentList(lists.groups),
    applications: {
      total: lists.applications.total,
      items: lists.applications.items.map(({ id, name, hasSecret }) => ({
        id,
        name,
        clientSecretConfigured: hasSecret,
      })),
    },
    rules: {
      total: rules.total,
      items: rules.items.map(
        ({ integrationId, integrationName, applicationId, applicationName }) => ({
          integrationId,
          integrationName,
          applicationId,
          applicationName,
        }),
      ),
    },
  };
}

function presentList({ total, items }: Newest<AccessRow>) {
  return { total, items: items.map(({ id, name }) => ({ id, name })) };
}
