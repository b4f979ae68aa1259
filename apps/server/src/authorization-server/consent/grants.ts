import { isPersonalMode } from '../../credentials/target.ts';
import { actorInBrowser, type SignedInPerson } from '../../identity/browser-sessions.ts';
import type { Db, Store } from '../../platform/database/store.ts';
import { createId } from '../../platform/ids.ts';
import { keepDynamicClient } from '../clients/dynamic/dynamic-clients.ts';
import { errors } from '../oidc-provider.ts';
import { lockApplication, lockMember } from '../tokens/token-basis.ts';
import type { ConsentRequest } from './consent-request.ts';
import { redirectTargetOf } from './redirect-target.ts';

/** The lifetime of a grant, in milliseconds. */
const GRANT_TTL = 90 * 24 * 60 * 60 * 1000;

/**
 * Whether the person agreed to all of a request before. Only for https: what runs behind a loopback
 * address or a private-use scheme may be another program today.
 */
export async function isRemembered(
  db: Db,
  { userId }: SignedInPerson,
  request: ConsentRequest,
): Promise<boolean> {
  const { client, redirectUri, resources, scopes, mustAsk } = request;
  const { kind, host } = redirectTargetOf(redirectUri);
  if (mustAsk || kind !== 'website') return false;
  const consent = await db.consent.findFirst({
    where: {
      userId,
      clientId: client.clientId,
      redirectHost: host,
      resources: { hasEvery: [...resources] },
      scopes: { hasEvery: [...scopes] },
    },
    orderBy: { createdAt: 'desc' },
  });
  if (consent === null) return false;
  return request.integrations.every(
    ({ authMode, attachedAt }) => !isPersonalMode(authMode) || attachedAt <= consent.createdAt,
  );
}

/**
 * Writes the grant to which a person agreed, and that they did.
 *
 * @param agreedAt what has been attached since is not agreed to
 * @returns its id
 * @throws InvalidGrant when the member or the application is gone
 * @throws AccessDenied when the application no longer allows dynamic clients
 */
export async function createGrant(
  store: Store,
  person: SignedInPerson,
  request: ConsentRequest,
  agreedAt: Date,
): Promise<string> {
  const { userId, organizationId } = person;
  const { client, application, redirectUri, integrations } = request;
  const common = {
    organizationId,
    userId,
    applicationId: application.id,
    clientId: client.clientId,
    resources: [...request.resources],
    scopes: [...request.scopes],
  };
  const { kind, host } = redirectTargetOf(redirectUri);
  return store.transaction(async ({ db, record }) => {
    await lockMember(db, userId);
    const { allowDynamicClients } = await lockApplication(db, application.id, undefined);
    if (client.application === undefined) {
      if (!allowDynamicClients) throw new errors.AccessDenied('dynamic clients are not allowed');
      await keepDynamicClient(db, client);
    }
    if (kind === 'website') {
      await remember(db, { ...common, redirectHost: host, createdAt: agreedAt });
    }
    const grant = await db.grant.create({
      data: {
        ...createId(),
        ...common,
        redirectUri,
        integrationIds: integrations.map(({ id }) => id),
        expiresAt: new Date(Date.now() + GRANT_TTL),
      },
    });
    const { id: targetId, applicationId, clientId, scopes, integrationIds } = grant;
    record({
      action: 'grant.created',
      actor: actorInBrowser(person),
      targetId,
      ...{ userId, applicationId, clientId, scopes, integrationIds },
    });
    return targetId;
  });
}

interface NewConsent {
  readonly organizationId: string;
  readonly userId: string;
  readonly applicationId: string;
  readonly clientId: string;
  readonly redirectHost: string;
  readonly resources: string[];
  readonly scopes: string[];
  readonly createdAt: Date;
}

/** Replaces an earlier consent to the same. */
async function remember(db: Db, consent: NewConsent): Promise<void> {
  const { userId, clientId, redirectHost, resources, scopes } = consent;
  await db.consent.deleteMany({
    where: {
      userId,
      clientId,
      redirectHost,
      resources: { equals: resources },
      scopes: { equals: scopes },
    },
  });
  await db.consent.create({ data: { id: createId().id, ...consent } });
}
