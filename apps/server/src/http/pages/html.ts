/** The blocks of the scripts that run from right to left (Unicode Standard Annex 9, table 4: R and AL). */
const REVERSED =
  '\\u0590-\\u08FF\\uFB1D-\\uFDFF\\uFE70-\\uFEFC\\u{10800}-\\u{10FFF}\\u{1E800}-\\u{1EFFF}';

/** Characters that set the direction, in names from before they were refused. */
const CONTROLS = '\\u200E\\u200F\\u202A-\\u202E\\u2066-\\u2069';

/** From the first to the last such letter between two commas; from a control to the end. */
const RUN = new RegExp(`[${CONTROLS}].*$|[${REVERSED}](?:[^,]*[${REVERSED}])?`, 'gsu');

/** Puts each run of text from right to left into `<bdi>`. @param text escaped */
function isolateReversed(text: string): string {
  return text.replaceAll(RUN, '<bdi>$&</bdi>');
}

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

/**
 * Builds HTML. Text is escaped, also between the quotes of an attribute, which every attribute needs.
 * Text between elements that runs from right to left, such as a name, is isolated, so that it cannot
 * reorder what stands around it.
 */
export function html(parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  let isQuoted = false;
  const text = parts.map((part, i) => {
    isQuoted = endsQuoted(part, isQuoted);
    const isPlain = isQuoted || part.endsWith('<title>');
    return part + textOf(values[i], isPlain ? escapeText : textBetweenElements);
  });
  return Html.fromSource(text.join(''));
}

function textOf(value: HtmlValue, write: (text: string) => string): string {
  if (value === undefined || value === null || value === false) return '';
  if (value instanceof Html) return value.toString();
  if (typeof value === 'object') return value.map((item) => textOf(item, write)).join('');
  return write(String(value));
}

/** Whether the next value is in the quotes of an attribute. @param isQuoted whether the last one was */
function endsQuoted(part: string, isQuoted: boolean): boolean {
  const end = isQuoted ? part.indexOf('"') : 0;
  return end === -1 || /="[^"]*$/.test(part.slice(isQuoted ? end + 1 : 0));
}

function textBetweenElements(text: string): string {
  return isolateReversed(escapeText(text));
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
