import type { UpstreamEras } from '../../eras/upstream-eras.ts';
import type { ConnectSessionIds } from '../../sessions/connect-session-ids.ts';
import type { GatewaySessions } from '../../sessions/sessions.ts';
import type { GatewayLimits } from '../limits.ts';
import type { OpenCalls } from '../open-calls.ts';

export interface ConnectServerDeps {
  readonly sessions: Pick<GatewaySessions, 'legacy'>;
  readonly connectSessions: ConnectSessionIds;
  readonly eras: Pick<UpstreamEras, 'find'>;
  readonly openCalls: Pick<OpenCalls, 'reauthorizeIfChanged'>;
  readonly limits: GatewayLimits;
  /** Our origin. */
  readonly publicUrl: string;
  /** Of the service. */
  readonly version: string;
}
