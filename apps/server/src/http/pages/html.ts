/** A piece of HTML that is safe to send: everything that was put into it is escaped. */
export class Html {
  readonly #text: string;

  private constructor(text: string) {
    this.#text = text;
  }

  /** @param text HTML from our source code, never input */
  static fromSource(text: string): Html {
    return new Html(text);
  }

  toString(): string {
    return this.#text;
  }
}

/** A value in a template; `undefined`, `null` and `false` are omitted. */
export type HtmlValue = Html | string | number | undefined | null | false | readonly HtmlValue[];

/** Builds HTML. Text is escaped, also between the quotes of an attribute, which every attribute needs. */
export function html(parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  const text = parts.map((part, i) => part + textOf(values[i]));
  return Html.fromSource(text.join(''));
}

function textOf(value: HtmlValue): string {
  if (value === undefined || value === null || value === false) return '';
  if (value instanceof Html) return value.toString();
  if (typeof value === 'object') return value.map(textOf).join('');
  return escapeText(String(value));
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeText(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
