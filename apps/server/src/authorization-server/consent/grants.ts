import { isPersonalMode } from '../../credentials/target.ts';
import type { SignedInPerson } from '../../identity/browser-sessions.ts';
import type { Db } from '../../platform/database/store.ts';
import { createId } from '../../platform/ids.ts';
import { keepDynamicClient } from '../clients/dynamic/dynamic-clients.ts';
import { type ConsentRequest, redirectTargetOf } from './consent-request.ts';
import type { ConsentRouterDeps, Decision } from './decision.ts';
import { writeResult } from './interaction.ts';
import { lockRequest } from './lock-request.ts';

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
 * Writes the grant to which a person agreed, and that they did: once for each request, however often the
 * form is sent.
 *
 * @param agreedAt what has been attached since is not agreed to
 * @throws ProblemError `not_found` when something that the person saw is gone
 */
export async function createGrant(
  { store, publicUrl }: Pick<ConsentRouterDeps, 'store' | 'publicUrl'>,
  { actor, request, uid }: Decision,
  agreedAt: Date,
): Promise<void> {
  const { userId, organizationId } = actor;
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
  const id = createId();
  const login = { accountId: userId, remember: false };
  await store.transaction(async ({ db, record }) => {
    if (!(await writeResult(db, uid, { login, consent: { grantId: id.id } }))) return;
    await lockRequest(db, publicUrl, userId, request);
    if (client.application === undefined) await keepDynamicClient(db, client);
    if (kind === 'website') {
      await remember(db, { ...common, redirectHost: host, createdAt: agreedAt });
    }
    const grant = await db.grant.create({
      data: {
        ...id,
        ...common,
        redirectUri,
        integrationIds: integrations.map((integration) => integration.id),
        expiresAt: new Date(Date.now() + GRANT_TTL),
      },
    });
    const { id: targetId, applicationId, clientId, scopes, integrationIds } = grant;
    record({
      action: 'grant.created',
      actor,
      targetId,
      ...{ userId, applicationId, clientId, scopes, integrationIds },
    });
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
