import type { z } from 'zod';
import { KeyringError } from '../vault/key-check.ts';
import { CommandError, EXIT } from './command-error.ts';
import type { ControlDeps, ControlRequest } from './request.ts';
import { auditExportingRequest, auditKeyRequest, auditNewKeyRequest } from './requests/audit.ts';
import { copyDatabaseRequest, databaseStatusRequest } from './requests/database.ts';
import {
  keysActivateRequest,
  keysAddRequest,
  keysRetireRequest,
  keysRewrapRequest,
  keysStatusRequest,
} from './requests/keys.ts';
import { signInLinkRequest, tokenCreateRequest } from './requests/recovery.ts';

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
  'audit-key': auditKeyRequest,
  'audit-new-key': auditNewKeyRequest,
  'audit-exporting': auditExportingRequest,
  'copy-database': copyDatabaseRequest,
} as const;

export type RequestName = keyof typeof REQUESTS;
export type InputOf<Name extends RequestName> = z.input<(typeof REQUESTS)[Name]['input']>;
export type ReplyOf<Name extends RequestName> = z.output<(typeof REQUESTS)[Name]['reply']>;

/** @throws CommandError when the request is refused, or the input is not one of it */
export async function runRequest<Name extends RequestName>(
  deps: ControlDeps,
  name: Name,
  input: InputOf<Name>,
): Promise<ReplyOf<Name>> {
  const request: ControlRequest<unknown, ReplyOf<Name>> = REQUESTS[name] as never;
  const parsed = request.input.safeParse(input);
  if (!parsed.success) throw new CommandError('The server does not understand this request.');
  try {
    return await request.run(deps, parsed.data);
  } catch (error) {
    if (!(error instanceof KeyringError)) throw error;
    throw new CommandError(error.message, EXIT.failed, { cause: error });
  }
}
