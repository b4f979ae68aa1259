import { EgressError } from '../../egress/errors.ts';
import { FIRST_MODERN_VERSION } from '../era.ts';
import { legacySpoken, type SpokenEras } from '../spoken-eras.ts';
import type { McpClient, McpResponse } from './client.ts';
import { capabilitiesOf, INITIALIZE, legacySessionOf, modernRequest } from './messages.ts';

/** Milliseconds for ending a session that was begun only to ask. */
const END_WITHIN = 1_000;

/** Asks a server in both eras at once. Never rejects: without an answer nothing is known. */
export async function findEras(client: McpClient, signal: AbortSignal): Promise<SpokenEras> {
  const [modern, legacy] = await Promise.all([
    askModern(client, signal),
    askLegacy(client, signal),
  ]);
  // Only of a server that speaks one era can it be said that it does not speak the other.
  if (typeof modern !== 'string' && typeof legacy !== 'string') return {};
  return {
    ...(legacy === undefined ? {} : { legacy }),
    ...(modern === undefined ? {} : { modern }),
  };
}

/** By the response to `server/discover`. Some legacy servers never send one. */
export function modernVerdict(response: McpResponse | undefined): SpokenEras['modern'] {
  if (response === undefined) return null;
  if (capabilitiesOf(response.response) !== undefined) return FIRST_MODERN_VERSION;
  return isVerdict(response) ? null : undefined;
}

/** The verdict of a server by its response to `initialize`. Ends a session that begins. */
async function askLegacy(client: McpClient, signal: AbortSignal): Promise<SpokenEras['legacy']> {
  try {
    const initialized = await client.send(INITIALIZE, signal);
    const session = legacySessionOf(initialized.response, initialized.headers);
    if (session === undefined) return isVerdict(initialized) ? null : undefined;
    if (session.isKept) await client.endSession(session.headers, AbortSignal.timeout(END_WITHIN));
    return legacySpoken(session.version);
  } catch (error) {
    if (error instanceof EgressError) return undefined;
    throw error;
  }
}

async function askModern(client: McpClient, signal: AbortSignal): Promise<SpokenEras['modern']> {
  try {
    return modernVerdict(await client.send(modernRequest('server/discover'), signal));
  } catch (error) {
    if (error instanceof EgressError) return error.kind === 'timeout' ? null : undefined;
    throw error;
  }
}

/** What a status says nothing about: a redirect, a missing credential, too many requests, a failure. */
const SAYS_NOTHING = new Set([401, 403, 407, 408, 425, 429]);

/** Whether a response without a result is one about the message, and not about something before it. */
export function isVerdict({ status }: Pick<McpResponse, 'status'>): boolean {
  return status < 500 && !(status >= 300 && status < 400) && !SAYS_NOTHING.has(status);
}
