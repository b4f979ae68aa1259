import type { Installation } from '@gatehouse/sdk';
import type { ReactNode } from 'react';
import { Mono, Pair } from '../../components/pairs.tsx';

interface ChangedByProps {
  readonly settings: Installation['settings'];
  /** The name of the setting. */
  readonly of: string;
  /** What it is, for the name of the link. */
  readonly what: string;
}

/** Where an operator changes it, and the page that says how. */
export function ChangedBy({ settings, of, what }: ChangedByProps) {
  const setting = settings.find(({ name }) => name === of);
  if (setting === undefined) return null;
  return (
    <span className="flex flex-wrap gap-x-2 text-12 text-ink-2">
      {setting.variable !== null && <Mono>{setting.variable}</Mono>}
      <a href={`/docs/${setting.page}`} className="text-accent underline">
        How to change it<span className="sr-only"> ({what})</span>
      </a>
    </span>
  );
}

interface SettingProps {
  readonly installation: Installation;
  /** The name of the setting; absent for what cannot be set alone. */
  readonly of?: string;
  readonly name: string;
  readonly children: ReactNode;
}

export function Setting({ installation: { settings }, of, name, children }: SettingProps) {
  return (
    <Pair name={name}>
      {children}
      {of !== undefined && <ChangedBy settings={settings} of={of} what={name} />}
    </Pair>
  );
}
