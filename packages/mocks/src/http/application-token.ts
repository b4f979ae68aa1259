import type { AccessTokenRow } from '../state/rows.ts';
import type { State } from '../state/state.ts';
import { Refusal } from './refusal.ts';

/** The path of an operation that only tokens of its application may call. */
export interface PairParams {
  readonly id: string;
  readonly integrationId: string;
}

/**
 * The access token of a call, if it is one for the application of the path or for that integration.
 *
 * @throws Refusal `insufficient_scope` without the scope `credentials`
 */
export function requireApplicationToken(
  { accessTokens }: Pick<State, 'accessTokens'>,
  secret: string | undefined,
  { id, integrationId }: PairParams,
): AccessTokenRow | undefined {
  const token = secret === undefined ? undefined : accessTokens.get(secret);
  if (token === undefined || Date.parse(token.expiresAt) <= Date.now()) return undefined;
  const [path = ''] = /\/mcp\/.*/.exec(token.audience) ?? [];
  const application = `/mcp/${id.toLowerCase()}`;
  if (path !== application && path !== `${application}/${integrationId.toLowerCase()}`) {
    return undefined;
  }
  if (token.scopes.includes('credentials')) return token;
  throw new Refusal('insufficient_scope', 'The access token lacks the scope credentials.');
}
