import { LAST_LEGACY_VERSION } from '../../mcp/era.ts';

/** How the connect server names itself. @param version of the service */
export function serverInfo(version: string): object {
  return { name: 'gatehouse-connect', title: 'Gatehouse', version };
}

export const CAPABILITIES = { tools: { listChanged: true } };

/** The versions of the legacy era, the newest first. */
export const LEGACY_VERSIONS: readonly string[] = [
  LAST_LEGACY_VERSION,
  '2025-06-18',
  '2025-03-26',
  '2024-11-05',
  '2024-10-07',
];

/** Whether `MCP-Protocol-Version` names a version of the legacy era; absent, it is one before 2025-06-18. */
export function isLegacyVersion(version: string | undefined): boolean {
  return version === undefined || LEGACY_VERSIONS.includes(version);
}
