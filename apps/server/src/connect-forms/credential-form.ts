import { type CredentialField, credentialFieldsOf, tokenDestination } from '@gatehouse/contract';
import { askedFor } from '../credentials/connect/give-credential.ts';
import type { Integration } from '../generated/prisma/client.ts';
import { fieldHtml, selectHtml } from '../http/pages/fields.ts';
import { type Html, html } from '../http/pages/html.ts';
import type { CredentialRefusal } from './save-credential.ts';

/** The fields for the credential of an integration of the mode `user_token`. */
export function credentialInputs(
  integration: Integration,
  refusal: CredentialRefusal | undefined,
): Html {
  const fields = credentialFieldsOf(integration.credentialSchema);
  return html`<input type="hidden" name="asked" value="${askedFor(integration)}">
${fields.map((field) => inputHtml(field, refusal))}`;
}

/**
 * The destination of a credential, in words. A proxied integration's credential never leaves Gatehouse;
 * one of the other category is handed out to applications.
 *
 * @param clientName the client that the person enters it for, if any
 */
export function whereItGoes({ category, url }: Integration, clientName?: string): string {
  const { host } = new URL(tokenDestination(url));
  if (category === 'gateway_remote_mcp') {
    const never =
      clientName === undefined ? 'Applications never see it.' : `${clientName} never sees it.`;
    return `It is stored encrypted and sent to ${host} only. ${never}`;
  }
  return `It is stored encrypted and is for ${host}. It is handed out to applications that you allow to receive it, which then use it without Gatehouse.`;
}

function inputHtml(field: CredentialField, refusal: CredentialRefusal | undefined): Html {
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
