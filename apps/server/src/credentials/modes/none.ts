import type { CredentialMode } from './mode.ts';

/** `none`: the upstream needs no authentication. */
export const noneMode: CredentialMode = {
  source: 'none',
  check: () => undefined,
  credential: () => undefined,
};
