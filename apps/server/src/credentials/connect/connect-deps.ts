import type { Egress } from '../../egress/egress.ts';
import type { Store } from '../../platform/database/store.ts';
import type { Vault } from '../../vault/vault.ts';
import { createOauthHttp, type OauthHttp } from '../oauth/http.ts';

/** What connecting an account needs. */
export interface ConnectDeps {
  readonly store: Store;
  readonly vault: Vault;
  readonly egress: Pick<Egress, 'request'>;
  /** Our origin. */
  readonly publicUrl: string;
}

/** For requests to authorization servers, over network connections of this person only. */
export function oauthHttpFor(
  { egress }: Pick<ConnectDeps, 'egress'>,
  { organizationId, userId }: { readonly organizationId: string; readonly userId: string },
): OauthHttp {
  return createOauthHttp(egress, { organizationId, userId });
}
