import type { Integration } from '@gatehouse/sdk';
import { useQuery } from '@tanstack/react-query';
import { Load } from '../../components/load.tsx';
import { Panel } from '../../components/panel.tsx';
import { SkeletonText } from '../../components/skeleton.tsx';
import { ClientForm } from './client-form.tsx';
import { oauthQuery } from './queries.ts';

/** Where the client that an admin has made at the provider is entered, with the redirect URI that it needs there. */
export function ClientPanel({ integration }: { integration: Integration }) {
  const query = useQuery(oauthQuery(integration.id));
  return (
    <Panel title="OAuth client">
      <Load query={query} skeleton={<SkeletonText lines={4} />}>
        {(read) =>
          read.oauth.tokenParamNames === undefined ? (
            <ClientForm integration={integration} read={read} />
          ) : (
            <p className="px-4 py-3">
              Parameters of token requests are stored with the client, and cannot be read to keep
              them. Replace the client by the API, together with them.
            </p>
          )
        }
      </Load>
    </Panel>
  );
}
