import type { KoaContextWithOIDC } from 'oidc-provider';
import type { Store } from '../../platform/database/store.ts';
import type { Vault } from '../../vault/vault.ts';
import type { Applications } from '../clients/applications.ts';
import { metadataOf } from '../metadata.ts';
import { errors } from '../oidc-provider.ts';
import { commitTokenRequest } from '../tokens/token-writes.ts';
import { answerUnavailable } from './answer-unavailable.ts';
import { endpoints } from './configuration.ts';
import { leadsToAnApp, sendHandover } from './handover.ts';

export interface FinishDeps {
  readonly store: Store;
  readonly vault: Vault;
  readonly applications: Pick<Applications, 'allowDynamicClients'>;
  readonly publicUrl: string;
}

/** Finishes a request that oidc-provider has answered, before its response is sent. */
export async function finishRequest(
  { store, vault, publicUrl, applications }: FinishDeps,
  ctx: KoaContextWithOIDC,
): Promise<void> {
  const isSuccess = ctx.status === 200;
  if (ctx.path === endpoints.token && isSuccess) {
    try {
      ctx.body = await commitTokenRequest(store, vault, ctx);
    } catch (error) {
      refuse(ctx, error);
    }
  }
  if (ctx.path.startsWith('/.well-known/') && isSuccess) {
    ctx.body = metadataOf(publicUrl, await applications.allowDynamicClients());
  }
  if (leadsToAnApp(ctx)) sendHandover(ctx);
  dropSessionCookie(ctx);
}

/** @throws what is neither an error of OAuth nor a passing one */
function refuse(ctx: KoaContextWithOIDC, error: unknown): void {
  if (answerUnavailable(ctx, error)) return;
  if (!(error instanceof errors.OIDCProviderError)) throw error;
  ctx.status = error.statusCode;
  ctx.body = { error: error.error, error_description: error.error_description };
}

/** oidc-provider's own session is not stored, so its cookie means nothing. */
function dropSessionCookie({ res }: KoaContextWithOIDC): void {
  const cookies = res.getHeader('Set-Cookie');
  if (!Array.isArray(cookies)) return;
  const kept = cookies.filter((cookie) => !cookie.startsWith('_session='));
  if (kept.length > 0) res.setHeader('Set-Cookie', kept);
  else res.removeHeader('Set-Cookie');
}
