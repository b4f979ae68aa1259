import type { Application } from '../../generated/prisma/client.ts';
import { detachFromGrants } from '../../identity/grants/detach-integrations.ts';
import { endAccessOfApplication } from '../../identity/grants/end-access.ts';
import { endOutsideSettings } from '../../identity/grants/end-outside-settings.ts';
import { canonicalUriOf, resourceUriOf } from '../../identity/resource.ts';
import type { Tx } from '../../platform/database/store.ts';
import {
  revokeSessionsOfApplication,
  revokeSessionsOfAttachments,
  revokeSessionsOfTokens,
} from '../../sessions/revocation.ts';
import { deleteAttachments, listAttachments } from './attachment-repository.ts';

/*
 * What ends with what is taken from an application. The application is locked, and announced by the
 * write that follows.
 */

/** Ends sessions, grants, tokens and consents. */
export async function endApplication(tx: Tx, id: string): Promise<void> {
  await revokeSessionsOfApplication(tx, id);
  await endAccessOfApplication(tx.db, id);
}

export async function detachIntegrations(
  tx: Tx,
  application: { readonly id: string; readonly publicUrl: string },
  attachments: readonly { readonly id: string; readonly integrationId: string }[],
): Promise<void> {
  if (attachments.length === 0) return;
  const ids = attachments.map(({ id }) => id);
  await deleteAttachments(tx.db, ids);
  await revokeSessionsOfAttachments(tx, application.id, ids);
  const integrationIds = attachments.map(({ integrationId }) => integrationId);
  const ended = await detachFromGrants(tx, application, integrationIds);
  await revokeSessionsOfTokens(tx, ended);
}

type Settings = Pick<
  Application,
  'redirectUris' | 'scopes' | 'allowedResources' | 'allowDynamicClients'
>;

/** Ends the grants that depend on a removed setting, and their sessions. */
export async function endForSettings(
  tx: Tx,
  { id, publicUrl }: { readonly id: string; readonly publicUrl: string },
  { before, after }: { readonly before: Settings; readonly after: Settings },
): Promise<void> {
  const attached = await listAttachments(tx.db, id);
  const always = new Set([
    resourceUriOf(publicUrl, { kind: 'application', applicationId: id }),
    ...attached.map(({ integrationId }) =>
      resourceUriOf(publicUrl, { kind: 'pair', applicationId: id, integrationId }),
    ),
  ]);
  const settingsOf = ({ allowedResources, ...rest }: Settings) => ({
    ...rest,
    resources: allowedResources
      .map((uri) => canonicalUriOf(publicUrl, uri))
      .filter((uri) => !always.has(uri)),
  });
  const settings = { before: settingsOf(before), after: settingsOf(after) };
  await revokeSessionsOfTokens(tx, await endOutsideSettings(tx, id, settings));
}
