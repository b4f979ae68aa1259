import { isDeepStrictEqual } from 'node:util';
import type { PutIntegrationOauthBody } from '@gatehouse/contract';
import { type OauthConfig, oauthConfigOf } from '../../credentials/oauth-config.ts';
import type { Precondition } from '../../http/etag.ts';
import type { Actor } from '../../identity/actor.ts';
import type { Db, Tx } from '../../platform/database/store.ts';
import { ProblemError } from '../../platform/problem-error.ts';
import type { Vault } from '../../vault/vault.ts';
import type { Deps } from '../deps.ts';
import { configOf } from './merge.ts';
import { replacementOf } from './oauth-input.ts';
import { requireActive } from './policy.ts';
import {
  deleteSecrets,
  type IntegrationRow,
  replaceSecret,
  updateIntegration,
} from './repository.ts';
import { hasSecret, oauthSecretDestination, sealSecret } from './secrets.ts';
import { requireLocked, wipeOauth } from './service.ts';

/** @throws ProblemError `auth_mode_mismatch`, `oauth_not_configured` */
export function requireOauth(integration: IntegrationRow): OauthConfig {
  if (integration.authMode !== 'oauth') {
    throw new ProblemError('auth_mode_mismatch', 'The integration does not use the mode oauth.');
  }
  const oauth = oauthConfigOf(integration);
  if (oauth) return oauth;
  throw new ProblemError(
    'oauth_not_configured',
    'The integration has no OAuth configuration. Set one with PUT.',
  );
}

/** Replaces the whole configuration. @throws ProblemError `not_found`, `precondition_failed`, `archived` */
export async function replaceOauth(
  tx: Tx,
  { vault }: Pick<Deps, 'vault'>,
  actor: Actor,
  id: string,
  { body, precondition }: { body: PutIntegrationOauthBody; precondition: Precondition },
): Promise<{ oauth: OauthConfig; integration: IntegrationRow }> {
  const current = await requireLocked(tx.db, actor, id);
  precondition(current.version);
  requireActive(current);
  const oauth = replacementOf(body);
  const before = configOf(current);
  const secretsChanged = await storeSecrets(tx.db, vault, current, { oauth, body });
  if (!secretsChanged && isDeepStrictEqual(before.oauth, oauth)) {
    return { oauth, integration: current };
  }
  tx.announce({ kind: 'integration', id });
  const integration = await updateIntegration(
    tx.db,
    actor,
    id,
    { ...before, oauth },
    { resetValidation: true },
  );
  return { oauth, integration };
}

/**
 * Puts, keeps or removes both secrets; only a client secret that is not given is kept, for the
 * destination it was entered for. True when one of them is no longer what it was.
 */
async function storeSecrets(
  db: Db,
  vault: Vault,
  current: IntegrationRow,
  { oauth, body }: { oauth: OauthConfig; body: PutIntegrationOauthBody },
): Promise<boolean> {
  const destination = oauthSecretDestination(oauth);
  const texts = [
    ['oauth_client_secret', body.clientSecret],
    ['oauth_token_params', paramsText(body.tokenParams)],
  ] as const;
  let changed = false;
  for (const [kind, text] of texts) {
    if (text === undefined && hasSecret(current.secrets, kind, destination)) continue;
    if (typeof text === 'string') {
      await replaceSecret(db, sealSecret(vault, current, { kind, destination, text }));
      changed = true;
    } else if (current.secrets.some((secret) => secret.kind === kind)) {
      await deleteSecrets(db, current.id, [kind]);
      changed = true;
    }
  }
  return changed;
}

function paramsText(params: PutIntegrationOauthBody['tokenParams']): string | null {
  return Object.keys(params ?? {}).length === 0 ? null : JSON.stringify(params);
}

/** The mode stays; users' tokens go. Works on an archived integration too. @throws ProblemError `not_found`, `precondition_failed` */
export async function removeOauth(
  tx: Tx,
  actor: Actor,
  id: string,
  precondition: Precondition,
): Promise<IntegrationRow> {
  const current = await requireLocked(tx.db, actor, id);
  precondition(current.version);
  if (oauthConfigOf(current) === null) return current;
  await wipeOauth(tx, current);
  tx.announce({ kind: 'integration', id });
  return updateIntegration(
    tx.db,
    actor,
    id,
    { ...configOf(current), oauth: null },
    { resetValidation: true },
  );
}
