import { useQuery } from '@tanstack/react-query';
import { explain } from '../../api/problems.ts';
import { Copy } from '../../components/copy.tsx';
import { Mono, Pair } from '../../components/pairs.tsx';
import { oauthQuery } from './queries.ts';

/** The client at the provider, and what to enter there. For admins: the API shows it to them alone. */
export function OauthClient({ integrationId }: { integrationId: string }) {
  const { data, error } = useQuery(oauthQuery(integrationId));
  if (data === undefined) {
    return error && <Pair name="OAuth client">{explain(error).sentence}</Pair>;
  }
  const { clientId, clientSecretConfigured, redirectUri } = data.oauth;
  return (
    <>
      <Pair name="Client id">
        {clientId === undefined ? 'Gatehouse gets one by itself' : <Mono>{clientId}</Mono>}
        {clientSecretConfigured && <span className="block text-ink-2">Its secret is stored.</span>}
      </Pair>
      <Pair name="Redirect URI">
        <span className="flex flex-wrap items-start gap-2">
          <span className="min-w-0 flex-1 basis-40">
            <Mono>{redirectUri}</Mono>
          </span>
          <Copy text={redirectUri} name="the redirect URI" />
        </span>
      </Pair>
    </>
  );
}
