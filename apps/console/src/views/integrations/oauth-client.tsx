import type { Integration } from '@gatehouse/sdk';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { explain } from '../../api/problems.ts';
import { buttonClass } from '../../components/button.tsx';
import { Mono, Pair } from '../../components/pairs.tsx';
import { oauthQuery } from './queries.ts';
import { RedirectUri } from './redirect-uri.tsx';

const route = getRouteApi('/integrations/$id');

/** The client at the provider, and the way to enter another one. For admins: the API shows it to them alone. */
export function OauthClient({ integration: { id, archivedAt } }: { integration: Integration }) {
  const { client: isEntering } = route.useSearch();
  const { data, error } = useQuery(oauthQuery(id));
  if (data === undefined) {
    return error && <Pair name="OAuth client">{explain(error).sentence}</Pair>;
  }
  const { clientId, clientSecretConfigured, redirectUri } = data.oauth;
  return (
    <>
      <Pair name="Client id">
        {clientId === undefined ? 'Gatehouse registers one' : <Mono>{clientId}</Mono>}
        {clientSecretConfigured && <span className="block text-ink-2">Its secret is stored.</span>}
        {archivedAt === null && !isEntering && (
          <span className="block pt-1">
            <Link
              from="/integrations/$id"
              search={{ client: true }}
              className={buttonClass('secondary', 'small')}
            >
              {clientId === undefined ? 'Enter a client' : 'Replace the client'}
            </Link>
          </span>
        )}
      </Pair>
      {!isEntering && (
        <Pair name="Redirect URI">
          <RedirectUri uri={redirectUri} />
        </Pair>
      )}
    </>
  );
}
