import type { StageCode, ValidationStageName } from '@gatehouse/contract';
import { DISCOVERY, REGISTRATION } from './authorization.ts';
import { CHALLENGE, CREDENTIAL, TOOLS } from './credential.ts';
import { ADDRESS, HTTP, MCP, TLS } from './reaching.ts';
import type { CodeHelp, StageHelp } from './stage-help.ts';

/** Every stage and its codes, for the answers of validate and for the page about it. */
export const STAGE_HELP: Readonly<Record<ValidationStageName, StageHelp>> = {
  address: ADDRESS,
  tls: TLS,
  http: HTTP,
  mcp: MCP,
  challenge: CHALLENGE,
  discovery: DISCOVERY,
  registration: REGISTRATION,
  credential: CREDENTIAL,
  tools: TOOLS,
};

/** Undefined for `not_needed` and `not_reached`, which ask nothing of anybody. */
export function helpFor(stage: ValidationStageName, code: StageCode): CodeHelp | undefined {
  return STAGE_HELP[stage].codes[code];
}
