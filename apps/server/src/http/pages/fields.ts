import { type Html, html } from './html.ts';

interface CommonField {
  /** Also its id in the page. */
  readonly name: string;
  readonly label: string;
  readonly value?: string | undefined;
  readonly hint?: string | undefined;
  /** The error of the entered value, as a sentence. */
  readonly error?: string | undefined;
  readonly isOptional?: boolean;
}

/** One field of a form, to type in. */
export interface Field extends CommonField {
  readonly type: 'text' | 'email' | 'password';
  /** The value that a browser or password manager fills in (HTML standard, "autofill detail tokens"). */
  readonly autocomplete: string;
  readonly inputMode?: 'decimal';
  readonly isFocused?: boolean;
  /** Shown, and for password managers. */
  readonly isReadOnly?: boolean;
}

/** One field of a form, to choose from a list. */
export interface Select extends CommonField {
  readonly choices: readonly {
    readonly label: string;
    readonly value: string | number | boolean;
  }[];
}

/** A labelled field with its hint and error, which screen readers read with it. */
export function fieldHtml(field: Field): Html {
  const { name, type, autocomplete, value, inputMode } = field;
  return labelled(
    field,
    html`<input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}"${attributesOf(field)}${value !== undefined && html` value="${value}"`}${inputMode && html` inputmode="${inputMode}"`}${field.isFocused && html` autofocus`}${field.isReadOnly && html` readonly`}${type === 'email' && html` autocapitalize="none" spellcheck="false"`}>`,
  );
}

/** The same for a choice. Nothing is chosen beforehand. */
export function selectHtml(field: Select): Html {
  const { name, choices, value: chosen } = field;
  return labelled(
    field,
    html`<select id="${name}" name="${name}" autocomplete="off"${attributesOf(field)}>
<option value="">Choose…</option>
${choices.map(({ label, value }) => html`<option value="${String(value)}"${String(value) === chosen && html` selected`}>${label}</option>`)}
</select>`,
  );
}

function attributesOf({ name, hint, error, isOptional }: CommonField): Html {
  const described = [hint && `${name}-hint`, error && `${name}-error`].filter(Boolean).join(' ');
  return html`${!isOptional && html` required`}${described !== '' && html` aria-describedby="${described}"`}${error && html` aria-invalid="true"`}`;
}

function labelled({ name, label, hint, error }: CommonField, input: Html): Html {
  return html`<div class="field">
<label for="${name}">${label}</label>
${input}
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
