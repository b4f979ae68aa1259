import type { Configuration } from 'oidc-provider';
import { html } from '../http/pages/html.ts';
import { pageOf } from '../http/pages/send-page.ts';
import { isDocumentUrl } from './clients/dynamic/metadata-document.ts';

/** The error in words for a person; the code of RFC 6749 is for the developer of the application. */
const EXPLANATIONS: Readonly<Record<string, string>> = {
  invalid_client:
    'The application that sent you here is unknown or has been archived. Ask the person who set it up to check its client id.',
  invalid_redirect_uri:
    'The application wants to send you back to an address that is not registered for it. The person who manages the application here can add the address.',
};

const UNREADABLE =
  'The application that sent you here is described by a document on its own website, which could not be read or does not describe it any more. Try again in some minutes. If it stays so, tell the makers of the application.';

const OTHERWISE =
  'The application that sent you here made a request that cannot be answered. Go back to it and try again.';

/** Shows an error page instead of a redirect to an unknown or untrusted address. */
export const renderError: NonNullable<Configuration['renderError']> = (ctx, out) => {
  const { error = 'server_error' } = out;
  const { client_id: clientId } = (ctx.oidc.params ?? {}) as { readonly client_id?: unknown };
  const isDescribed = typeof clientId === 'string' && isDocumentUrl(clientId);
  const isUnreadable = error === 'invalid_client' && isDescribed;
  const { headers, document } = pageOf({
    title: 'This sign-in cannot go on',
    body: html`<p>${isUnreadable ? UNREADABLE : (EXPLANATIONS[error] ?? OTHERWISE)}</p>
<p class="quiet">For developers: <code>${error}</code></p>`,
  });
  ctx.set(headers);
  ctx.body = document;
};
