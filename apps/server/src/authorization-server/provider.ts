import { generateKeyPairSync, type JsonWebKey } from 'node:crypto';
import { secretPrefixes } from '@gatehouse/contract';
import { randomBytes } from 'node:crypto';
import { type Adapter, type Configuration, errors, interactionPolicy, Provider } from 'oidc-provider';
import type { Store } from '../platform/database/store.ts';
import type { Vault } from '../vault/vault.ts';
import { adaptClients, APPLICATION, applicationOf, clientMetadataOf } from './client-metadata.ts';
import type { Clients } from './clients.ts';
import { createGrantAdapter } from './grant-adapter.ts';
import { normalizeParameters } from './parameters.ts';
import { type RenderError } from './render-error.ts';
import { resourceServerOf } from './resources.ts';
import { createStateAdapter } from './state-adapter.ts';
import { createTokenAdapter } from './token-adapter.ts';
import { commitTokenRequest, REFRESH_TOKEN_TTL, writesOf } from './token-writes.ts';
import { unused } from './unused-adapter.ts';

/** Seconds that a code lasts. */
const CODE_TTL = 60;

/** Seconds that a person has for signing in and agreeing. */
const INTERACTION_TTL = 60 * 60;

export interface ProviderDeps {
  readonly store: Store;
  readonly vault: Vault;
  readonly clients: Clients;
  /** Our origin, which is the issuer. */
  readonly publicUrl: string;
  readonly renderError: RenderError;
}
