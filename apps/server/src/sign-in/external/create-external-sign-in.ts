import type { Logger } from 'pino';
import type { Egress } from '../../egress/egress.ts';
import { addressBlockOf } from '../../http/address-block.ts';
import { createBeginnings } from '../../http/beginnings.ts';
import type { Db } from '../../platform/database/store.ts';
import { createAttempts } from './attempts.ts';
import { CALLBACK_PATH, type ExternalSignIn } from './external-page.ts';
import { createExternalProvider } from './provider.ts';
import type { ExternalSettings } from './settings.ts';

/** How often an address may begin in a minute: a whole office may have one. */
const PER_ADDRESS = 120;

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
  const count = createBeginnings(PER_ADDRESS);
  return {
    settings,
    provider: createExternalProvider(settings, egress, publicUrl + CALLBACK_PATH),
    attempts: createAttempts(db, publicUrl),
    countBeginning: (address) => count(addressBlockOf(address)),
    publicUrl,
    log,
  };
}
