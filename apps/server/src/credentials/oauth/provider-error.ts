import { displayText } from './json-object.ts';

/** What a provider said about its error, safe to show or to log. */
export interface ProviderError {
  /** Its code, which a page may show: a word of a protocol and never a sentence. */
  readonly error?: string | undefined;
  /** For the log alone. */
  readonly detail?: string | undefined;
}

const MAX_CODE = 60;

/** Such as `invalid_scope` or `AADSTS50011`. Anyone can write sentences into a callback. */
const CODE = /^[a-z\d]+(?:[_.-][a-z\d]+)*$/i;

/** What could be a secret: a long run that is not made of words, such as `code_challenge_method`. */
const LONG_RUN = /[\w.~+/=-]{16,}/g;
const WORDS = /^[a-z]+(?:[_.-][a-z]+)*\.?$/i;

const MAX_DESCRIPTION = 1000;

/** @param secrets what was sent, which a provider may repeat */
export function providerErrorOf(
  error: unknown,
  description: unknown,
  secrets: readonly string[] = [],
): ProviderError {
  const code = typeof error === 'string' ? error : '';
  const isCode =
    code.length <= MAX_CODE && CODE.test(code) && withoutSecrets(code, secrets) === code;
  const isText = typeof description === 'string';
  return {
    error: isCode ? code : undefined,
    detail: isText ? displayText(withoutSecrets(description, secrets)) : undefined,
  };
}

/** Long runs come last: they could hide the beginning of a secret from the comparison. */
function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets
    .filter((secret) => secret !== '')
    .reduce((rest, secret) => rest.replaceAll(secret, '…'), text)
    .slice(0, MAX_DESCRIPTION)
    .replaceAll(LONG_RUN, (run) => (WORDS.test(run) ? run : '…'));
}
