import type { EventRequest } from '@gatehouse/contract';
import type { Response } from 'express';
import type * as OidcProvider from 'oidc-provider';
import type { KoaContextWithOIDC } from 'oidc-provider';
import * as errorClasses from 'oidc-provider/lib/helpers/errors.js';
import * as policyClasses from 'oidc-provider/lib/helpers/interaction_policy/index.js';
import { Provider as ProviderClass } from 'oidc-provider/lib/provider.js';
import { requestOf } from '../http/context.ts';

/*
 * oidc-provider past its index, which writes a notice to standard error on Node 20 at every start, also
 * of the commands. Types come from the index all the same.
 */

export const Provider: typeof OidcProvider.Provider = ProviderClass;
export const errors: typeof OidcProvider.errors = errorClasses;
export const interactionPolicy: typeof OidcProvider.interactionPolicy = policyClasses;

/** The request that oidc-provider is working on. */
export function currentRequest(): KoaContextWithOIDC {
  const { ctx } = Provider;
  if (ctx === undefined) throw new Error('Tokens are written only by requests of clients.');
  return ctx;
}

/** The origin of a request for events: Express has passed the request on to oidc-provider. */
export function eventRequestOf({ res }: KoaContextWithOIDC): EventRequest {
  return requestOf(res as Response);
}
