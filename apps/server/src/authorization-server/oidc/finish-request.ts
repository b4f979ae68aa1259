import type { IncomingMessage } from 'node:http';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { html } from '../../http/pages/html.ts';
import { pageOf } from '../../http/pages/send-page.ts';
import type { Store } from '../../platform/database/store.ts';
import type { Vault } from '../../vault/vault.ts';
import type { Applications } from '../clients/applications.ts';
import { metadataOf } from '../metadata.ts';
import { ConnectionRequired, temporaryFailure } from '../oauth-errors.ts';
import { errors } from '../oidc-provider.ts';
import { commitTokenRequest, type Issued } from '../tokens/token-writes.ts';
import { endpoints } from './configuration.ts';

export interface FinishDeps {
  readonly store: Store;
  readonly vault: Vault;
  readonly applications: Pick<Applications, 'allowDynamicClients'>;
  readonly publicUrl: string;
  readonly countClientFailure: CountClientFailure;
  readonly onIssued: OnIssued;
}

/** Called with who got tokens, and the request. */
export type OnIssued = (issued: Issued, req: IncomingMessage, requestId: string) => void;

/**
 * Counts a failed authentication against the address, and against the client if there is one: its secret is not
 * guessed from many addresses either. Called after the secret was compared, so the right one always passes.
 *
 * @throws ProblemError `rate_limited` once either has failed too often
 */
export type CountClientFailure = (
  req: IncomingMessage,
  clientId: string | undefined,
) => Promise<void>;

/**
 * Finishes a request that oidc-provider has answered, before its response is sent.
 *
 * @throws errors that {@link refuse} answers
 */
export async function finishRequest(
  { store, vault, publicUrl, applications, countClientFailure, onIssued }: FinishDeps,
  ctx: KoaContextWithOIDC,
): Promise<void> {
  const isSuccess = ctx.status === 200;
  if (ctx.path === endpoints.token && isSuccess) {
    const { body, issued } = await commitTokenRequest(store, vault, ctx);
    ctx.body = body;
    if (issued !== undefined) onIssued(issued, ctx.req, String(ctx.res.getHeader('X-Request-Id')));
  }
  if (ctx.status === 401) await countClientFailure(ctx.req, ctx.oidc?.client?.clientId);
  if (ctx.path.startsWith('/.well-known/') && isSuccess) {
    ctx.body = metadataOf(publicUrl, await applications.allowDynamicClients());
  }
  if (leadsToApp(ctx)) sendToApp(ctx);
  dropSessionCookie(ctx);
}

/** Answers a temporary failure. False for any other error. */
export function answerTemporary(ctx: KoaContextWithOIDC, error: unknown): boolean {
  const failure = temporaryFailure(error);
  if (failure === undefined) return false;
  ctx.status = failure.status;
  ctx.set(failure.headers);
  ctx.body = failure.body;
  return true;
}

/** Answers an error of OAuth, or a temporary failure. @throws any other error */
export function refuse(ctx: KoaContextWithOIDC, error: unknown): void {
  if (answerTemporary(ctx, error)) return;
  if (!(error instanceof errors.OIDCProviderError)) throw error;
  ctx.status = error.statusCode;
  // RFC 6749 section 5.2.
  if (error instanceof errors.InvalidClientAuth && ctx.get('Authorization') !== '') {
    ctx.set('WWW-Authenticate', `Basic realm="${ctx.oidc.issuer}"`);
  }
  const { error: code, error_description } = error;
  const connect = error instanceof ConnectionRequired ? { connect_url: error.connectUrl } : {};
  ctx.body = { error: code, error_description, ...connect };
}

/** oidc-provider's own session is not stored, so its cookie means nothing. */
function dropSessionCookie({ res }: KoaContextWithOIDC): void {
  const cookies = res.getHeader('Set-Cookie');
  if (!Array.isArray(cookies)) return;
  const kept = cookies.filter((cookie) => !cookie.startsWith('_session='));
  if (kept.length > 0) res.setHeader('Set-Cookie', kept);
  else res.removeHeader('Set-Cookie');
}

/** True if a response sends the browser to an installed app, by a private-use scheme (RFC 8252 section 7.1). */
function leadsToApp({ status, response }: KoaContextWithOIDC): boolean {
  const location = response.get('Location');
  return (status === 302 || status === 303) && location !== '' && !/^(https?:|\/)/.test(location);
}

/** Replaces that redirect by a page: the browser stays on it, and must not go on showing the question. */
function sendToApp(ctx: KoaContextWithOIDC): void {
  const location = ctx.response.get('Location');
  const { headers, document } = pageOf({
    title: 'You can close this window',
    refresh: location,
    body: html`<p>Your app should open now. If it does not, check whether your browser is asking for permission to open it.</p>
<a class="button" href="${location}">Open the app</a>`,
  });
  ctx.status = 200;
  ctx.remove('Location');
  ctx.set(headers);
  ctx.body = document;
}
