import { type AggregateMode, notAggregateText, refusalTexts } from '@gatehouse/contract';
import { resourceUriOf } from '../../identity/resource.ts';
import { createCache, type Loaded } from '../../platform/changes/create-cache.ts';
import type { Store } from '../../platform/database/store.ts';
import { ProblemError } from '../../platform/problem-error.ts';
import { loopMarkOf } from '../routes.ts';

/** An attachment as the aggregate serves it. */
export interface AggregateAttachment {
  readonly attachmentId: string;
  readonly integrationId: string;
  readonly integrationName: string;
  readonly alias: string;
  /** Of its route, see `Routes`. */
  readonly key: string;
}

/** What an application's one URL leads to, as of the last read of its rows. */
export interface AggregateApplication {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  /** Of its organization, see `loopMarkOf`. */
  readonly loopMark: string;
  readonly mode: AggregateMode;
  /** Characters of the longest exposed name. */
  readonly nameLength: number;
  /** Those with MCP traffic, the oldest first. */
  readonly attachments: readonly AggregateAttachment[];
  readonly byAlias: ReadonlyMap<string, AggregateAttachment>;
  /** Also those that are not served now, but may be once they have changed. */
  readonly integrationIds: readonly string[];
  /** Also of attachments that are not served now: whether a name is left out does not change with them. */
  readonly aliases: ReadonlySet<string>;
}

export interface AggregateApplications {
  /** @throws ProblemError `not_found` */
  get(organizationId: string, id: string): Promise<AggregateApplication>;
  close(): void;
}

interface Row {
  readonly name: string;
  readonly mode: AggregateMode;
  readonly nameLength: number;
  readonly attachmentId: string | null;
  readonly integrationId: string;
  readonly integrationName: string;
  readonly alias: string;
  readonly isServed: boolean;
}

const MAX_CACHED = 2_000;

/** The most URLs in one refusal. */
const MAX_SHOWN = 50;

/** Unknown, foreign and archived are not distinguished. @param publicUrl our origin */
export function createAggregateApplications(
  store: Store,
  publicUrl: string,
): AggregateApplications {
  const cache = createCache<AggregateApplication | undefined>({
    changes: store.changes,
    maxEntries: MAX_CACHED,
  });
  return {
    async get(organizationId, id) {
      const key = `${organizationId}${id}`;
      const found =
        cache.peek(key) ?? (await cache.get(key, () => load(store, organizationId, id)));
      return requireServed(found, publicUrl);
    },
    close: () => cache.close(),
  };
}

function requireServed(
  application: AggregateApplication | undefined,
  publicUrl: string,
): AggregateApplication {
  if (application === undefined) {
    throw new ProblemError('not_found', refusalTexts.noSuchAggregateUrl);
  }
  if (application.mode === 'off') throw leadsTo(application, publicUrl);
  return application;
}

/** Names the URLs that are served instead. */
function leadsTo({ id, attachments }: AggregateApplication, publicUrl: string): ProblemError {
  const urls = attachments.slice(0, MAX_SHOWN).map(({ integrationId, integrationName }) => {
    const resource = { kind: 'pair', applicationId: id, integrationId } as const;
    return `${resourceUriOf(publicUrl, resource)} (${integrationName})`;
  });
  return new ProblemError('not_found', notAggregateText(urls));
}

async function load(
  { db }: Store,
  organizationId: string,
  id: string,
): Promise<Loaded<AggregateApplication | undefined>> {
  const rows = await db.$queryRaw<Row[]>`
    SELECT p."name", p."aggregateMode"::text AS "mode", p."aggregateNameLength" AS "nameLength",
      a."id" AS "attachmentId", a."alias", i."id" AS "integrationId", i."name" AS "integrationName",
      (i."archivedAt" IS NULL AND i."category" = 'gateway_remote_mcp') AS "isServed"
    FROM "Application" p
    LEFT JOIN "Attachment" a ON a."applicationId" = p."id"
    LEFT JOIN "Integration" i ON i."id" = a."integrationId"
    WHERE p."id" = ${id}::uuid AND p."organizationId" = ${organizationId}::uuid
      AND p."archivedAt" IS NULL
    ORDER BY a."createdAt", a."id"`;
  const attached = rows.filter(({ attachmentId }) => attachmentId !== null);
  return {
    value: rows[0] && applicationOf({ organizationId, id }, rows[0], attached),
    dependsOn: [
      { kind: 'application', id },
      ...attached.map(({ integrationId }) => ({ kind: 'integration', id: integrationId }) as const),
    ],
  };
}

function applicationOf(
  ids: Pick<AggregateApplication, 'organizationId' | 'id'>,
  { name, mode, nameLength }: Row,
  attached: readonly Row[],
): AggregateApplication {
  const attachments = attached
    .filter(({ isServed }) => isServed)
    .map(({ attachmentId, integrationId, integrationName, alias }) => ({
      ...{ attachmentId: attachmentId ?? '', integrationId, integrationName, alias },
      key: `${ids.id}/${integrationId}`,
    }));
  return {
    ...ids,
    loopMark: loopMarkOf(ids.organizationId),
    ...{ name, mode, nameLength, attachments },
    integrationIds: attached.map(({ integrationId }) => integrationId),
    byAlias: new Map(attachments.map((attachment) => [attachment.alias, attachment])),
    aliases: new Set(attached.map(({ alias }) => alias)),
  };
}

/** This server, as its results tell it. @param version of the service */
export function serverInfoOf({ name }: AggregateApplication, version: string): object {
  return { name: 'gatehouse', title: name, version };
}

/** The server info of applications as they were read last, as raw JSON. */
const serverInfos = new WeakMap<AggregateApplication, string>();

/** Like {@link serverInfoOf}, as raw JSON. */
export function serverInfoJson(application: AggregateApplication, version: string): string {
  const json = serverInfos.get(application) ?? JSON.stringify(serverInfoOf(application, version));
  serverInfos.set(application, json);
  return json;
}
