import { credentialInputs, whereItGoes } from '../../../connect-forms/credential-form.ts';
import { oauthFailureOf } from '../../../connect-forms/oauth-failure.ts';
import { oauthDetails, oauthInputs } from '../../../connect-forms/oauth-form.ts';
import type { CredentialRefusal } from '../../../connect-forms/save-credential.ts';
import type { ConnectPlan } from '../../../credentials/connect/plan-connecting.ts';
import { UpstreamOauthError } from '../../../credentials/oauth/upstream-error.ts';
import { errorSummary } from '../../../http/pages/fields.ts';
import { type Html, html } from '../../../http/pages/html.ts';
import type { MissingCredential } from './missing-credential.ts';

/** The dependencies of every page of the walk. */
export interface WalkPage {
  readonly missing: MissingCredential;
  /** The name of the client that asked for access. */
  readonly clientName: string;
  /** The hidden field of `Forms`. */
  readonly formField: Html;
  readonly action: string;
}

/** Asks a person for the credential of one integration. */
export function credentialBody(page: WalkPage, refusal: CredentialRefusal | undefined): Html {
  const { missing, clientName, formField, action } = page;
  const { integration } = missing;
  return html`${introduction(page)}
<p class="quiet">${whereItGoes(integration, clientName)}</p>
${errorSummary(refusal?.message)}
<form method="post" action="${action}"${refusal && html` aria-describedby="error-summary"`}>
${formField}
${credentialInputs(integration, refusal)}
<button name="decision" value="save">Save and continue</button>
${later}
</form>
${whatLaterMeans(page)}`;
}

/** Asks a person to connect at a provider. @param plan or why that does not work now */
export function oauthBody(
  page: WalkPage,
  plan: ConnectPlan | UpstreamOauthError,
  isChanged: boolean,
): Html {
  const isFailure = plan instanceof UpstreamOauthError;
  return html`${introduction(page)}
${errorSummary(isChanged ? 'What is asked for here has changed meanwhile. Look at it again.' : undefined)}
${isFailure ? oauthFailureOf(plan).body : oauthDetails(plan)}
<form method="post" action="${page.action}">
${page.formField}
${isFailure ? html`<a class="button" href="${page.action}">Try again</a>` : oauthInputs(plan)}
${later}
</form>
${whatLaterMeans(page)}`;
}

const later = html`<button class="secondary" name="decision" value="later" formnovalidate>Later</button>`;

function introduction({ missing: { integration, isReplaced }, clientName }: WalkPage): Html {
  const { name, authMode } = integration;
  const what = authMode === 'oauth' ? 'Please connect it' : 'Please give it';
  const once = authMode === 'oauth' ? 'Please connect it once.' : 'Please give it access once.';
  return html`<p><strong>${clientName}</strong> uses <strong>${name}</strong> with your own account. ${isReplaced ? html`The access you gave for ${name} before no longer works. ${what} again.` : once}</p>`;
}

function whatLaterMeans({ clientName, missing: { integration } }: WalkPage): Html {
  return html`<p class="quiet">With “Later” you go on to ${clientName}, but it cannot use ${integration.name} yet.</p>`;
}
