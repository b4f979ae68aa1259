import type { EventRequest } from '@gatehouse/contract';
import type { Response } from 'express';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { requestOf } from '../http/context.ts';
import { Provider } from './oidc-provider.ts';

/** The request that oidc-provider is working on. */
export function currentRequest(): KoaContextWithOIDC {
  const { ctx } = Provider;
  if (ctx === undefined) throw new Error('Tokens are written only by requests of clients.');
  return ctx;
}

/** Where a request comes from, as events tell it: Express has passed it on to oidc-provider. */
export function eventRequestOf({ res }: KoaContextWithOIDC): EventRequest {
  return requestOf(res as Response);
}
