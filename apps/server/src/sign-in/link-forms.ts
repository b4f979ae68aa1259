import type { Response } from 'express';
import { errorSummary, fieldHtml } from '../http/pages/fields.ts';
import { type Html, html } from '../http/pages/html.ts';
import { sendPage } from '../http/pages/send-page.ts';
import type { SignInLinkHolder } from '../identity/sign-in-links.ts';
import { type NewPasswordErrors, newPasswordFields } from './new-password.ts';

export interface LinkForm {
  /** By `forms.field`. */
  readonly field: Html;
  /** The name of another person who is signed in with this browser until the form is sent. */
  readonly replaced?: string | undefined;
  readonly errors?: NewPasswordErrors;
}

/** The page of an invitation or reset link. */
export function sendChoosePassword(
  res: Response,
  { purpose, name, email }: SignInLinkHolder,
  { field, replaced, errors }: LinkForm,
): void {
  const isNew = purpose === 'invitation';
  sendPage(res, {
    status: errors === undefined ? 200 : 400,
    title: isNew ? `Welcome, ${name}` : 'Choose a new password',
    body: html`<p class="quiet">${isNew ? 'Choose a password. With it and your email you sign in from now on.' : 'You will be signed out in every other browser.'}</p>
${replacedNotice(replaced)}
${errorSummary(errors && 'The password was not saved. See below what to change.')}
<form method="post"${errors && html` aria-describedby="error-summary"`}>
${field}
${fieldHtml({ name: 'email', label: 'Email', type: 'email', autocomplete: 'username', value: email, isReadOnly: true })}
${newPasswordFields({ errors, isFocused: true })}
<button type="submit">Save and sign in</button>
</form>`,
  });
}

/** The page of a link that signs in. */
export function sendConfirm(
  res: Response,
  { name, email }: SignInLinkHolder,
  { field, replaced }: LinkForm,
): void {
  sendPage(res, {
    title: 'Sign in with this link',
    body: html`<p class="quiet">The link is for ${email}. It works once.</p>
${replacedNotice(replaced)}
<form method="post">
${field}
<button type="submit">Sign in as ${name}</button>
</form>`,
  });
}

function replacedNotice(name: string | undefined): Html {
  if (name === undefined) return html``;
  return html`<div class="notice"><p>${name} is signed in with this browser and will be signed out.</p></div>`;
}
