import { type Html, html } from './html.ts';

/** One field of a form. */
export interface Field {
  readonly name: string;
  readonly label: string;
  readonly type: 'text' | 'email' | 'password';
  /** What the browser or a password manager fills in (HTML standard, "autofill detail tokens"). */
  readonly autocomplete: string;
  readonly value?: string | undefined;
  readonly hint?: string | undefined;
  /** A sentence that says what is wrong with what was given. */
  readonly error?: string | undefined;
  readonly isFocused?: boolean;
  /** Shown, and for password managers. */
  readonly isReadOnly?: boolean;
}

/** A labelled field with its hint and error, which screen readers read with it. */
export function fieldHtml(field: Field): Html {
  const { name, label, type, autocomplete, value, hint, error } = field;
  const described = [hint && `${name}-hint`, error && `${name}-error`].filter(Boolean).join(' ');
  return html`<div class="field">
<label for="${name}">${label}</label>
<input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}" required${value !== undefined && html` value="${value}"`}${described !== '' && html` aria-describedby="${described}"`}${error && html` aria-invalid="true"`}${field.isFocused && html` autofocus`}${field.isReadOnly && html` readonly`}${type === 'email' && html` autocapitalize="none" spellcheck="false"`}>
${hint && html`<p class="hint" id="${name}-hint">${hint}</p>`}
${error && html`<p class="field-error" id="${name}-error">${error}</p>`}
</div>`;
}

/** What a form reports above its fields; the form names it in `aria-describedby`. */
export function errorSummary(message: string | undefined): Html {
  return message === undefined
    ? html``
    : html`<div class="alert" id="error-summary" role="alert"><p>${message}</p></div>`;
}
