import { sessionStateLabels } from '@gatehouse/contract';
import type { Session, SessionKind } from '@gatehouse/sdk';
import { labelOf } from '../../api/labels.ts';

export const kindLabels: Readonly<Record<SessionKind, string>> = {
  session: 'Calls through the gateway',
  lease: 'Credential handed out',
};

const ERAS: Readonly<Record<string, string>> = {
  legacy: 'MCP up to 2025-11-25',
  modern: 'MCP 2026-07-28',
};

/** What a session is, and for calls by which version of MCP. */
export function kindOf({ kind, era }: Session): string {
  return kind === 'session' ? labelOf(ERAS, era) : labelOf(kindLabels, kind);
}

export function stateOf({ state, live }: Session): string {
  return state === 'open' && live ? 'Open, in use' : labelOf(sessionStateLabels, state);
}
