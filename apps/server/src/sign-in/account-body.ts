import { errorSummary, fieldHtml } from '../http/pages/fields.ts';
import { type Html, html } from '../http/pages/html.ts';
import { HOME } from '../http/pages/return-to.ts';
import type { Person } from '../identity/people.ts';
import { type GrantsShown, grantsHtml } from './grants-page.ts';
import { type NewPasswordErrors, newPasswordFields } from './new-password.ts';

export interface ChangeErrors extends NewPasswordErrors {
  readonly present?: string;
}

const ROLES: Readonly<Record<Person['role'], string>> = {
  owner: 'Owner',
  admin: 'Admin',
  member: 'Member',
};

export interface AccountShown {
  readonly person: Person;
  readonly grants: GrantsShown;
  /** People sign in by password here. */
  readonly hasPasswords: boolean;
  readonly errors?: ChangeErrors | undefined;
}

/** @param formField the hidden field that each of its forms needs */
export function accountBody(
  { person, grants, hasPasswords, errors }: AccountShown,
  formField: Html,
): Html {
  const { name, email, role } = person;
  return html`<dl>
<dt>Name</dt><dd>${name}</dd>
<dt>Email</dt><dd>${email}</dd>
<dt>Role</dt><dd>${ROLES[role]}</dd>
</dl>
<a class="button" href="${HOME}">Open the console</a>
<h2>Your connections</h2>
<p>The accounts of yours that integrations use. <a href="/connect">See and end them</a></p>
<h2>Applications that work for you</h2>
${grantsHtml(grants, formField, 3)}
${hasPasswords && passwordSection(person, formField, errors)}
<h2>Sign out</h2>
<form method="post" action="/sign-out">${formField}<button type="submit" class="secondary">Sign out</button></form>
<form method="post" action="/sign-out">${formField}<input type="hidden" name="everywhere" value="1">
<button type="submit" class="secondary">Sign out in every browser</button></form>`;
}

function passwordSection({ passwordHash, email }: Person, formField: Html, errors?: ChangeErrors) {
  const hasPassword = passwordHash !== null;
  return html`<h2>${hasPassword ? 'Change your password' : 'Choose a password'}</h2>
<p class="quiet">You will be signed out in every other browser.</p>
${errorSummary(errors && 'The password was not changed. See below what is wrong.')}
<form method="post" action="/account/password"${errors && html` aria-describedby="error-summary"`}>
${formField}
<input type="hidden" name="email" autocomplete="username" value="${email}">
${
  hasPassword &&
  fieldHtml({
    name: 'present',
    label: 'Current password',
    type: 'password',
    autocomplete: 'current-password',
    error: errors?.present,
  })
}
${newPasswordFields({ errors })}
<button type="submit" class="secondary">${hasPassword ? 'Change password' : 'Save password'}</button>
</form>`;
}
