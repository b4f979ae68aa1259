import { fieldHtml } from '../http/pages/fields.ts';
import type { FormFields } from '../http/pages/forms.ts';
import { type Html, html } from '../http/pages/html.ts';
import { refusalOfPassword } from '../identity/password-rules.ts';

/** Faults of a new password, as sentences; both `undefined` if it is fine. */
export interface NewPasswordErrors {
  readonly password?: string | undefined;
  readonly repeated?: string | undefined;
}

interface NewPasswordFields {
  readonly errors?: NewPasswordErrors | undefined;
  /** The page is for nothing else, so the field to type into has the focus. */
  readonly isFocused?: boolean;
}

/** The two fields for choosing a password. */
export function newPasswordFields({ errors, isFocused = false }: NewPasswordFields): Html {
  const { password, repeated } = errors ?? {};
  const isFirst = repeated === undefined;
  return html`${fieldHtml({
    name: 'password',
    label: 'New password',
    type: 'password',
    autocomplete: 'new-password',
    hint: 'At least 12 characters. A few words in a row are easy to remember.',
    error: password,
    isFocused: isFocused && isFirst,
  })}
${fieldHtml({
  name: 'repeated',
  label: 'The same password again',
  type: 'password',
  autocomplete: 'new-password',
  error: repeated,
  isFocused: isFocused && !isFirst,
})}`;
}

/** The new password in a form's fields, or why it cannot be taken. */
export function readNewPassword(
  fields: FormFields,
  email: string,
): { readonly password: string; readonly errors?: never } | { readonly errors: NewPasswordErrors } {
  const password = fields.get('password') ?? '';
  const refusal = refusalOfPassword(password, email);
  if (refusal !== undefined) return { errors: { password: refusal } };
  if (fields.get('repeated') !== password) {
    return { errors: { repeated: 'The two passwords differ. Type the same one twice.' } };
  }
  return { password };
}
