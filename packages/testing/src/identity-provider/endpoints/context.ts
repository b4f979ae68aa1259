import type { ClientTable } from '../clients/client-table.ts';
import type { GrantTable } from '../grants/grant-table.ts';
import type { ProviderRequest } from '../http/provider-request.ts';
import type { Reply } from '../http/reply.ts';
import type { ProviderSettings } from '../settings.ts';
import type { PendingAuthorizations } from './authorization-request.ts';

/** What the endpoints share. */
export interface Context {
  readonly issuer: string;
  /** As they are at this moment. */
  readonly settings: ProviderSettings;
  readonly clients: ClientTable;
  readonly grants: GrantTable;
  readonly pending: PendingAuthorizations;
}

/** One endpoint. It may throw an `OauthError`. */
export type Endpoint = (request: ProviderRequest, context: Context) => Reply | Promise<Reply>;
