import {
  type Installation,
  type InstallationKey,
  type InstallationLimit,
  installationSettings,
} from '@gatehouse/contract';
import type { DatabaseStatus } from '../../platform/database/database-status.ts';
import type { RunningNode } from '../../vault/node-keys.ts';
import type { InstallationSettings } from '../installation-settings.ts';

/** Milliseconds. */
const DAY = 24 * 60 * 60 * 1000;

/** What the database knows of the installation. */
export interface InstallationState {
  readonly database: DatabaseStatus;
  readonly nodes: readonly RunningNode[];
  readonly keyAdditions: ReadonlyMap<string, Date | null>;
}

export function presentInstallation(
  settings: InstallationSettings,
  { database, nodes, keyAdditions }: InstallationState,
): Installation {
  const { version, build = null, publicUrl, logLevel, nodeId, keySource } = settings;
  const { kind } = database;
  return {
    versions: { gatehouse: version, build, node: process.versions.node },
    publicUrl,
    logLevel,
    store: { kind: kind === 'pglite' ? 'embedded' : kind, version: database.version },
    nodes: nodes.map((node) => ({
      id: node.id,
      name: node.name,
      version: node.version,
      startedAt: node.startedAt.toISOString(),
      lastSeenAt: node.lastSeenAt.toISOString(),
      answering: node.id === nodeId,
    })),
    keys: { source: keySource, encryption: presentKeys(settings, keyAdditions) },
    signIn: presentSignIn(settings),
    limits: presentLimits(settings),
    settings: installationSettings(keySource),
  };
}

function presentKeys(
  { keyring }: InstallationSettings,
  additions: InstallationState['keyAdditions'],
): InstallationKey[] {
  return keyring.ids.map((id) => ({
    id,
    active: id === keyring.activeId,
    addedAt: additions.get(id)?.toISOString() ?? null,
  }));
}

function presentSignIn({ passwordSignIn, provider }: InstallationSettings): Installation['signIn'] {
  return {
    // Links work however people sign in otherwise: nobody can be locked out.
    ways: [
      ...(passwordSignIn ? (['password'] as const) : []),
      'link',
      ...(provider === undefined ? [] : (['provider'] as const)),
    ],
    issuer: provider?.issuer ?? null,
    groupsClaim: provider?.hasGroupsClaim ?? false,
  };
}

function presentLimits({
  rateLimit,
  sessionWindows: { active, legacyTtl, modernTtl },
  ...kept
}: InstallationSettings): InstallationLimit[] {
  return [
    { name: 'managementRequests', value: rateLimit, unit: 'requests_per_minute' },
    { name: 'sessionActive', value: active, unit: 'milliseconds' },
    { name: 'sessionLegacy', value: legacyTtl, unit: 'milliseconds' },
    { name: 'sessionModern', value: modernTtl, unit: 'milliseconds' },
    { name: 'auditCalls', value: kept.auditCallDays * DAY, unit: 'milliseconds' },
    { name: 'auditChanges', value: kept.auditChangeDays * DAY, unit: 'milliseconds' },
    { name: 'usage', value: kept.usageDays * DAY, unit: 'milliseconds' },
  ];
}
