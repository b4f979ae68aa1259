import { isJsonObject, type JsonObject } from '@gatehouse/contract';
import {
  type Era,
  FIRST_MODERN_VERSION,
  LAST_LEGACY_VERSION,
  LEGACY_VERSIONS,
  negotiatedVersion,
} from './era.ts';

/** The lists that a server can announce changes of. */
export const ANNOUNCED_LISTS = ['tools', 'prompts', 'resources'] as const;
export type AnnouncedList = (typeof ANNOUNCED_LISTS)[number];

/**
 * What is known of the eras that a server speaks. Of each: a version that it has agreed to, the newest that
 * is known; null if it does not speak the era; undefined while nothing has shown that.
 */
export interface SpokenEras {
  readonly legacy?: string | null;
  readonly modern?: string | null;
  /** The lists that it has declared to announce changes of, when it was last greeted. */
  readonly listChanged?: readonly AnnouncedList[];
}

export function isModernSpoken({ modern }: SpokenEras): boolean {
  return typeof modern === 'string';
}

/** Assumed while nothing shows the contrary: most servers do. */
export function isLegacySpoken(spoken: SpokenEras): boolean {
  return spoken.legacy !== null || !isModernSpoken(spoken);
}

/** The newest version of the legacy era to agree to. */
export function newestLegacyVersion({ legacy }: SpokenEras): string {
  return legacy ?? LAST_LEGACY_VERSION;
}

/** The version to offer to one of several servers: the client's, or the newest that the server is known to speak. */
export function versionAmongSeveral(protocolVersion: string, spoken: SpokenEras): string {
  return negotiatedVersion(protocolVersion, newestLegacyVersion(spoken));
}

/** The client's era, unless the server is known to speak only the other one. */
export function eraFor(spoken: SpokenEras, client: Era): Era {
  if (client === 'modern') return isModernSpoken(spoken) ? 'modern' : 'legacy';
  return isLegacySpoken(spoken) ? 'legacy' : 'modern';
}

/** Whether something that was found is not known yet. */
export function isNews(found: SpokenEras, known: SpokenEras): boolean {
  const { legacy = known.legacy, modern = known.modern, listChanged = known.listChanged } = found;
  const isOtherEra = legacy !== known.legacy || modern !== known.modern;
  return isOtherEra || listChanged?.join() !== known.listChanged?.join();
}

/** The lists that a server's capabilities declare `listChanged` for. */
export function listsAnnouncedBy(capabilities: JsonObject): readonly AnnouncedList[] {
  return ANNOUNCED_LISTS.filter((list) => {
    const capability = capabilities[list];
    return isJsonObject(capability) && capability.listChanged === true;
  });
}

/** The version that a server has answered `initialize` with, as it is kept: one of ours. */
export function legacySpoken(version: string): string {
  return LEGACY_VERSIONS.includes(version) ? version : LAST_LEGACY_VERSION;
}

/** As it is stored: together with the URL, because another URL is another server. */
export function storedEras(url: string, spoken: SpokenEras): string {
  return JSON.stringify({ url, ...spoken });
}

/** Of what is stored with an integration; nothing is known if that was about another URL. */
export function readSpokenEras(stored: unknown, url: string): SpokenEras {
  if (!isJsonObject(stored) || stored.url !== url) return {};
  const { legacy, modern, listChanged } = stored;
  return {
    ...(isKnown(legacy, LEGACY_VERSIONS) ? { legacy } : {}),
    ...(isKnown(modern, [FIRST_MODERN_VERSION]) ? { modern } : {}),
    ...(Array.isArray(listChanged)
      ? { listChanged: ANNOUNCED_LISTS.filter((list) => listChanged.includes(list)) }
      : {}),
  };
}

function isKnown(version: unknown, ours: readonly string[]): version is string | null {
  return version === null || (typeof version === 'string' && ours.includes(version));
}
