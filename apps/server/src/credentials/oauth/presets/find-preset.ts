import { withoutFinalSlash } from '../same-issuer.ts';
import { appProviders } from './app-providers.ts';
import type { Preset, PresetData } from './preset.ts';
import { selfRegisteringProviders } from './self-registering-providers.ts';

/** Every provider that differs from the standards, or has a name that people look for. */
export const presets: readonly Preset[] = [
  ...appProviders.map(withRegistration('static')),
  ...selfRegisteringProviders.map(withRegistration('automatic')),
];

function withRegistration(registration: Preset['registration']) {
  return (data: PresetData): Preset => ({ help: {}, ...data, registration });
}

/** By `oauth.provider`, whatever its case. */
export function presetOf(provider: string | undefined): Preset | undefined {
  const name = provider?.trim().toLowerCase();
  return presets.find((preset) => preset.name === name || preset.aliases?.includes(name ?? ''));
}

/** By the URL of an MCP server or of an issuer. */
export function presetForUrl(url: string): Preset | undefined {
  if (!URL.canParse(url)) return undefined;
  const { hostname, protocol } = new URL(url);
  if (protocol !== 'https:') return undefined;
  const origin = `https://${hostname}`;
  return presets.find(
    ({ hosts, issuers = [] }) =>
      hosts.some((host) => isMatch(hostname, host)) ||
      issuers.some((issuer) => isMatch(origin, new URL(issuer).origin)),
  );
}

/** Whether an issuer is the preset's own, so that the preset's endpoints and calls apply to it. */
export function isIssuerOf(preset: Preset | undefined, issuer: string): boolean {
  const name = withoutFinalSlash(issuer);
  return preset?.issuers?.some((known) => isMatch(name, withoutFinalSlash(known))) ?? false;
}

/** The default issuer. */
export function defaultIssuerOf(preset: Preset | undefined): string | undefined {
  const first = preset?.issuers?.[0];
  return first?.includes('*') ? undefined : first;
}

/** `*.` stands for one or more labels of a host name, and for nothing else. */
function isMatch(text: string, pattern: string): boolean {
  const [before, after] = pattern.split('*');
  if (before === undefined || after === undefined) return text === pattern;
  if (!text.startsWith(before) || !text.endsWith(after)) return false;
  return /^[a-z\d-]+(?:\.[a-z\d-]+)*$/i.test(text.slice(before.length, -after.length));
}

/**
 * The URL of a call that a preset describes. Undefined where the token came from another issuer than the
 * preset's: it goes only to the provider that gave it.
 */
export function callUrl(
  preset: Preset | undefined,
  call: { readonly url: string } | undefined,
  issuer: string,
): string | undefined {
  if (call === undefined || !isIssuerOf(preset, issuer)) return undefined;
  return new URL(call.url, issuer).href;
}
