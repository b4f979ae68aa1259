import type { KeySource } from '@gatehouse/contract';
import type { Build } from '../platform/build.ts';
import type { SessionWindows } from '../sessions/windows.ts';
import type { Keyring } from '../vault/keyring.ts';

/** The settings of this process that its administrators may read: no secret is among them. */
export interface InstallationSettings {
  readonly version: string;
  readonly build: Build | undefined;
  /** Of this process among the nodes. Undefined where it has not announced itself. */
  readonly nodeId: string | undefined;
  readonly publicUrl: string;
  readonly logLevel: string;
  readonly keyring: Pick<Keyring, 'ids' | 'activeId'>;
  readonly keySource: KeySource;
  /** Management requests a minute; 0 for no limit. */
  readonly rateLimit: number;
  readonly sessionWindows: SessionWindows;
  /** How many days the audit keeps calls, and changes. */
  readonly auditCallDays: number;
  readonly auditChangeDays: number;
  /** How many days usage is kept. */
  readonly usageDays: number;
  readonly passwordSignIn: boolean;
  readonly provider: { readonly issuer: string; readonly hasGroupsClaim: boolean } | undefined;
}
