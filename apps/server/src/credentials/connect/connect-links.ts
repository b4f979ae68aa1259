import { lifetimes } from '@gatehouse/contract';
import type { Actor } from '../../identity/actor.ts';
import type { Db, Tx } from '../../platform/database/store.ts';
import { createId } from '../../platform/ids.ts';
import { hashSecret, isSecret, newSecret } from '../../platform/secrets.ts';

/** The most links per person. A further one replaces the oldest. */
const MAX_LINKS = 20;

/** The recipient and purpose of a link. */
export interface NewConnectLink {
  readonly integration: { readonly id: string };
  readonly userId: string;
  readonly actor: Actor;
  /** An absolute URL under an allowed origin, which the caller has checked. */
  readonly returnTo: string | undefined;
}

/** A link that still works. */
export interface ConnectLink {
  readonly id: string;
  readonly organizationId: string;
  readonly integrationId: string;
  /** The link works for this person only. */
  readonly userId: string;
  readonly returnTo: string | null;
}

/** A link that was just made. Of its secret only the SHA-256 is stored. */
export interface MadeConnectLink {
  readonly authorizationUrl: string;
  readonly expiresAt: Date;
}

/** Makes the links by which people connect. */
export interface ConnectLinks {
  create(tx: Pick<Tx, 'db' | 'record'>, link: NewConnectLink): Promise<MadeConnectLink>;
}

export function createConnectLinks(publicUrl: string): ConnectLinks {
  return {
    async create({ db, record }, { integration, userId, actor, returnTo }) {
      const { organizationId } = actor;
      const secret = newSecret();
      const { id, createdAt } = createId();
      const expiresAt = new Date(createdAt.getTime() + lifetimes.connectLink);
      await db.connectLink.create({
        data: {
          ...{ id, organizationId, integrationId: integration.id, userId, createdAt, expiresAt },
          hash: hashSecret(secret),
          returnTo: returnTo ?? null,
        },
      });
      await db.$executeRaw`
        DELETE FROM "ConnectLink" WHERE "id" = ANY(ARRAY(
          SELECT "id" FROM "ConnectLink" WHERE "userId" = ${userId}::uuid
          ORDER BY "id" DESC OFFSET ${MAX_LINKS}))`;
      const targetId = `${integration.id}:${userId}`;
      record({ action: 'connection.link_created', actor, targetId });
      return { authorizationUrl: `${publicUrl}/connect/${secret}`, expiresAt };
    },
  };
}

/** Reads a link without using it up. `undefined` when it is unknown, used or expired. */
export async function findConnectLink(db: Db, secret: string): Promise<ConnectLink | undefined> {
  if (!isSecret(secret)) return undefined;
  const [found] = await db.$queryRaw<ConnectLink[]>`
    SELECT "id", "organizationId", "integrationId", "userId", "returnTo"
    FROM "ConnectLink" WHERE "hash" = ${hashSecret(secret)} AND "expiresAt" > now()`;
  return found;
}

/**
 * Uses a link up; only one of several concurrent requests succeeds.
 *
 * @returns false when it does not work any more.
 */
export async function takeConnectLink(
  { db, record }: Pick<Tx, 'db' | 'record'>,
  { id, integrationId, userId }: ConnectLink,
  { actor, decision }: { readonly actor: Actor; readonly decision: 'connect' | 'cancel' },
): Promise<boolean> {
  const taken = await db.$executeRaw`
    DELETE FROM "ConnectLink"
    WHERE "id" = ${id}::uuid AND "userId" = ${userId}::uuid AND "expiresAt" > clock_timestamp()`;
  if (taken !== 1) return false;
  const targetId = `${integrationId}:${userId}`;
  record({ action: 'connection.link_used', actor, targetId, decision });
  return true;
}

/**
 * Where a browser may go after connecting: an absolute URL under one of these origins.
 *
 * @returns undefined for any other
 */
export function allowedReturnUrl(
  value: string | null | undefined,
  origins: ReadonlySet<string>,
): URL | undefined {
  if (value === null || value === undefined || !URL.canParse(value)) return undefined;
  const url = new URL(value);
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:';
  const hasUserinfo = url.username !== '' || url.password !== '';
  return isWeb && !hasUserinfo && origins.has(url.origin) ? url : undefined;
}
