import type { Adapter, AdapterFactory } from 'oidc-provider';
import type { Store } from '../../platform/database/store.ts';
import { clientMetadataOf } from '../clients/client-metadata.ts';
import type { OauthClient } from '../clients/oauth-client.ts';
import { Provider } from '../oidc-provider.ts';
import { createGrantAdapter } from './grant-adapter.ts';
import { normalizeParameters } from './parameters.ts';
import { createStateAdapter } from './state-adapter.ts';
import { createTokenAdapter } from './token-adapter.ts';
import { unused } from './unused-adapter.ts';

export interface AdapterDeps {
  readonly store: Store;
  /** Finds a client of any kind. */
  readonly findClient: (clientId: string) => Promise<OauthClient | undefined>;
  /** Our origin. */
  readonly publicUrl: string;
}

/**
 * What oidc-provider stores, by the name of its model.
 *
 * @param resumeUrl the URL at which it goes on with an interaction
 */
export function createAdapters(
  { store, findClient, publicUrl }: AdapterDeps,
  resumeUrl: (id: string) => string,
): AdapterFactory {
  const clients: Adapter = {
    ...unused,
    async find(clientId) {
      const client = await findClient(clientId);
      if (client === undefined) return undefined;
      const { ctx } = Provider;
      if (ctx !== undefined) normalizeParameters(ctx, client, publicUrl);
      return clientMetadataOf(client);
    },
  };
  return (model) => {
    switch (model) {
      case 'AuthorizationCode':
        return createTokenAdapter(store, 'code');
      case 'AccessToken':
      case 'ClientCredentials':
        return createTokenAdapter(store, 'access');
      case 'RefreshToken':
        return createTokenAdapter(store, 'refresh');
      case 'Grant':
        return createGrantAdapter(store);
      case 'Interaction':
        return createStateAdapter(store.db, resumeUrl);
      case 'Client':
        return clients;
      default:
        // Among them Session: who agrees is asked at every request, of the browser session.
        return unused;
    }
  };
}
