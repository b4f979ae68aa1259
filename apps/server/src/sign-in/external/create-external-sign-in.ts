import type { Logger } from 'pino';
import type { Egress } from '../../egress/egress.ts';
import type { Db } from '../../platform/database/store.ts';
import { createAttempts } from './attempts.ts';
import { createBeginnings } from './beginnings.ts';
import { CALLBACK_PATH, type ExternalSignIn } from './external-page.ts';
import { createExternalProvider } from './provider.ts';
import type { ExternalSettings } from './settings.ts';

export interface ExternalSignInOptions {
  readonly db: Db;
  readonly egress: Pick<Egress, 'request'>;
  readonly publicUrl: string;
  readonly log: Logger;
}

export function createExternalSignIn(
  settings: ExternalSettings,
  { db, egress, publicUrl, log }: ExternalSignInOptions,
): ExternalSignIn {
  return {
    settings,
    provider: createExternalProvider(settings, egress, publicUrl + CALLBACK_PATH),
    attempts: createAttempts(db, publicUrl),
    countBeginning: createBeginnings(),
    publicUrl,
    log,
  };
}
