import { type PutIntegrationOauthBody, redirectUriAt } from '@gatehouse/contract';
import { redirectUriOf } from '../../credentials/oauth/clients/client-metadata.ts';
import { oauthUpstreamOf } from '../../credentials/oauth/upstream.ts';
import { type OauthConfig, oauthConfigOf } from '../../credentials/oauth-config.ts';
import { type Mutation, requireMatch } from '../../identity/mutation.ts';
import type { Db } from '../../platform/database/store.ts';
import { ProblemError } from '../../platform/problem-error.ts';
import type { Vault } from '../../vault/vault.ts';
import { changedFields } from '../changed-fields.ts';
import { configOf, oauthConfigFrom } from './configuration.ts';
import type { IntegrationRow } from './repository.ts';
import { requireActive } from './rules.ts';
import { deleteSecrets, replaceSecret } from './secret-repository.ts';
import { changedSecret, hasSecret, oauthSecretDestination, sealSecret } from './secrets.ts';
import { lockIntegration, removeOauthCredentials, writeIntegration } from './service.ts';

/**
 * Replaces the whole configuration.
 *
 * @throws ProblemError `not_found`, `precondition_failed`, `archived`, `validation_failed` for a redirect
 *   URI of another integration
 */
export async function replaceOauth(
  mutation: Mutation,
  { vault, publicUrl }: { readonly vault: Vault; readonly publicUrl: string },
  id: string,
  body: PutIntegrationOauthBody,
): Promise<{ before: IntegrationRow; after: IntegrationRow }> {
  const current = await lockIntegration(mutation, id);
  requireMatch(mutation.precondition, current.version);
  requireActive(current);
  const config = configOf(current);
  checkRedirectUri(current, body, publicUrl);
  const oauth = oauthConfigFrom(config.oauth, body, redirectUriAt(publicUrl, id));
  const changedSecrets = await storeSecrets(mutation.tx.db, vault, current, { oauth, body });
  const changes = [...changedFields({ oauth: config.oauth }, { oauth }), ...changedSecrets];
  if (changes.length === 0) return { before: current, after: current };
  const change = { config: { ...config, oauth }, resetValidation: true };
  const event = { action: 'integration.updated', changes } as const;
  return { before: current, after: await writeIntegration(mutation, id, change, event) };
}

/** A client can have the integration's own redirect URI, or keep the one that it was entered with. */
function checkRedirectUri(
  current: IntegrationRow,
  { clientId, redirectUri }: PutIntegrationOauthBody,
  publicUrl: string,
): void {
  const own = redirectUriAt(publicUrl, current.id);
  const upstream = oauthUpstreamOf(current);
  const isKept = clientId === upstream.config.clientId;
  if (redirectUri === undefined || redirectUri === own) return;
  if (isKept && redirectUri === redirectUriOf(publicUrl, upstream)) return;
  throw new ProblemError('validation_failed', 'The client cannot have that redirect URI.', {
    errors: [{ pointer: '/redirectUri', code: 'invalid_value', message: `Must be ${own}.` }],
  });
}

/**
 * Stores or deletes both secrets. A client secret that is absent from the body is kept if it was
 * entered for the same destination. Returns those that have changed; a secret that is sent always
 * counts as a change.
 */
async function storeSecrets(
  db: Db,
  vault: Vault,
  current: IntegrationRow,
  { oauth, body }: { oauth: OauthConfig; body: PutIntegrationOauthBody },
): Promise<ReturnType<typeof changedSecret>[]> {
  const destination = oauthSecretDestination(oauth);
  // Undefined keeps, null deletes.
  const texts = [
    ['oauth_client_secret', body.clientSecret],
    ['oauth_token_params', paramsText(body.tokenParams)],
  ] as const;
  const changed: ReturnType<typeof changedSecret>[] = [];
  for (const [kind, text] of texts) {
    if (text === undefined && hasSecret(current.secrets, kind, destination)) continue;
    if (typeof text === 'string') {
      await replaceSecret(db, sealSecret(vault, current, { kind, destination, text }));
      changed.push(changedSecret(current, kind, true));
    } else if (current.secrets.some((secret) => secret.kind === kind)) {
      await deleteSecrets(db, current.id, [kind]);
      changed.push(changedSecret(current, kind, false));
    }
  }
  return changed;
}

function paramsText(params: PutIntegrationOauthBody['tokenParams']): string | null {
  return Object.keys(params ?? {}).length === 0 ? null : JSON.stringify(params);
}

/** Keeps the mode and removes the tokens of all users, also when archived. @throws ProblemError `not_found`, `precondition_failed` */
export async function removeOauth(mutation: Mutation, id: string): Promise<IntegrationRow> {
  const current = await lockIntegration(mutation, id);
  requireMatch(mutation.precondition, current.version);
  if (oauthConfigOf(current) === null) return current;
  await removeOauthCredentials(mutation.tx, current);
  const before = configOf(current);
  const config = { ...before, oauth: null };
  const change = { config, resetValidation: true };
  return writeIntegration(mutation, id, change, {
    action: 'integration.updated',
    changes: changedFields(before, config),
  });
}
