import { tokenDestination } from '@gatehouse/contract';
import type { Integration } from '../../../generated/prisma/client.ts';
import { errorSummary, fieldHtml, selectHtml } from '../../../http/pages/fields.ts';
import { type Html, html } from '../../../http/pages/html.ts';
import type { FormFields } from '../../../http/pages/read-form.ts';
import { type CredentialField, credentialFieldsOf } from './credential-fields.ts';
import { askedFor } from './give-credential.ts';
import type { MissingCredential } from './missing-credential.ts';

/** What a person has sent, and what is wrong with it. */
export interface Refusal {
  readonly form: FormFields;
  /** Above the form. */
  readonly message: string;
  /** By the pointers of the fields. */
  readonly errors: ReadonlyMap<string, string>;
}

export interface ConnectPage {
  readonly missing: MissingCredential;
  /** The name of the client for which the person does this. */
  readonly clientName: string;
  /** The hidden field of `Forms`. */
  readonly formField: Html;
  readonly action: string;
  readonly refusal?: Refusal | undefined;
}

/** Asks a person for the credential of one integration. */
export function connectBody({
  missing,
  clientName,
  formField,
  action,
  refusal,
}: ConnectPage): Html {
  const { integration, isReplaced } = missing;
  const { name, credentialSchema } = integration;
  return html`<p><strong>${clientName}</strong> uses <strong>${name}</strong> with your own account. ${isReplaced ? html`The access you gave for ${name} before no longer works. Please give it again.` : html`Please give it access once.`}</p>
<p class="quiet">${whereItGoes(integration, clientName)}</p>
${errorSummary(refusal?.message)}
<form method="post" action="${action}"${refusal && html` aria-describedby="error-summary"`}>
${formField}
<input type="hidden" name="asked" value="${askedFor(integration)}">
${credentialFieldsOf(credentialSchema).map((field) => inputHtml(field, refusal))}
<button name="decision" value="save">Save and continue</button>
<button class="secondary" name="decision" value="later" formnovalidate>Later</button>
</form>
<p class="quiet">With “Later” you go on to ${clientName}, but it cannot use ${name} yet.</p>`;
}

/** A proxied integration's credential never leaves; one of the other category is handed out. */
function whereItGoes({ category, url }: Integration, clientName: string): string {
  const { host } = new URL(tokenDestination(url));
  return category === 'gateway_remote_mcp'
    ? `It is stored encrypted and sent to ${host} only. ${clientName} never sees it.`
    : `It is stored encrypted and is for ${host}. Applications that you allow to receive it get it from Gatehouse.`;
}

function inputHtml(field: CredentialField, refusal: Refusal | undefined): Html {
  const { name, hint, isRequired, isSecret, choices, property } = field;
  const common = {
    name,
    label: isRequired ? field.label : `${field.label} (optional)`,
    hint,
    error: refusal?.errors.get(field.pointer),
    isOptional: !isRequired,
    value: isSecret ? undefined : (refusal?.form.get(name) ?? field.initial),
  };
  if (choices !== undefined) return selectHtml({ ...common, choices });
  const isNumber = property?.type === 'number' || property?.type === 'integer';
  return fieldHtml({
    ...common,
    type: isSecret ? 'password' : 'text',
    // With `off`, browsers fill in the password that they have stored for this site: the one for us.
    autocomplete: isSecret ? 'new-password' : 'off',
    ...(isNumber ? { inputMode: 'decimal' as const } : {}),
  });
}
