/**
 * Texts that stand in generated bodies for what only the running server knows. They fit the
 * contract's schemas, so a body can be judged before they are replaced.
 */
const ID = /^00000000-0000-4000-8000-([0-9a-f]{12})$/;

/** Stands for the url of the upstream that integrations can be validated against. */
export const UPSTREAM_URL = 'https://upstream.invalid/mcp';

/** Stands for one of the integrations in reach. */
export function idPlaceholder(pick: number): string {
  return `00000000-0000-4000-8000-${pick.toString(16).padStart(12, '0')}`;
}

/** Every credential that is sent begins with this, and no answer may contain it. */
export const SECRET_MARK = 'zq7-secret-';

/** Stands in values that are meant to be refused: no problem may quote one. */
export const INPUT_MARK = 'zq7-input';

export interface Replacements {
  readonly upstreamUrl: string;
  /** The id for a placeholder's number. */
  integrationId(pick: number): string;
}

/** The same JSON with the placeholders replaced. */
export function replacePlaceholders(value: unknown, replacements: Replacements): unknown {
  if (typeof value === 'string') return replaced(value, replacements);
  if (Array.isArray(value)) return value.map((item) => replacePlaceholders(item, replacements));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [key, replacePlaceholders(child, replacements)]),
  );
}

function replaced(text: string, { upstreamUrl, integrationId }: Replacements): string {
  if (text === UPSTREAM_URL) return upstreamUrl;
  const pick = ID.exec(text)?.[1];
  return pick === undefined ? text : integrationId(Number.parseInt(pick, 16));
}
