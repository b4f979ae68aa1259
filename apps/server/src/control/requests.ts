import type { z } from 'zod';
import { copyDatabaseRequest } from './requests/copy-database.ts';
import { databaseStatusRequest } from './requests/database-status.ts';
import { keysActivateRequest } from './requests/keys-activate.ts';
import { keysAddRequest } from './requests/keys-add.ts';
import { keysRetireRequest } from './requests/keys-retire.ts';
import { keysRewrapRequest } from './requests/keys-rewrap.ts';
import { keysStatusRequest } from './requests/keys-status.ts';
import { signInLinkRequest } from './requests/sign-in-link.ts';
import { tokenCreateRequest } from './requests/token-create.ts';

/** Every request, by its name on the control socket. */
export const REQUESTS = {
  'sign-in-link': signInLinkRequest,
  'token-create': tokenCreateRequest,
  'database-status': databaseStatusRequest,
  'keys-status': keysStatusRequest,
  'keys-add': keysAddRequest,
  'keys-activate': keysActivateRequest,
  'keys-rewrap': keysRewrapRequest,
  'keys-retire': keysRetireRequest,
  'copy-database': copyDatabaseRequest,
} as const;

export type RequestName = keyof typeof REQUESTS;
export type InputOf<Name extends RequestName> = z.input<(typeof REQUESTS)[Name]['input']>;
export type ReplyOf<Name extends RequestName> = z.output<(typeof REQUESTS)[Name]['reply']>;
