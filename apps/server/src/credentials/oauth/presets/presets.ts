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
