import { isIssuerOf } from '../presets/find-preset.ts';
import type { Preset } from '../presets/preset.ts';

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
