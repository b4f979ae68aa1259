import type { Message } from '../../../mcp/envelope/message.ts';
import type { GatewaySessions } from '../../../sessions/sessions.ts';
import type { InSession } from '../client-call.ts';
import type { ClientRequests } from '../client-requests.ts';
import type { AggregateLists } from '../lists/lists.ts';
import type { RequestTarget } from '../target.ts';
import type { UpstreamCallDeps } from '../upstream-calls.ts';
import type { UpstreamSide } from '../upstream-side.ts';

/** A request of a client for an integration of the other era. */
export interface TranslatedCall {
  readonly client: InSession;
  readonly side: UpstreamSide;
  readonly target: RequestTarget;
  readonly message: Message & { readonly id: string };
  /** With the integration's own name. */
  readonly body: Buffer;
}

export interface TranslationDeps extends UpstreamCallDeps {
  readonly clientRequests: Pick<ClientRequests, 'begin' | 'end' | 'cancel'>;
  readonly sessions: Pick<GatewaySessions, 'aggregates' | 'questions'>;
  readonly lists: Pick<AggregateLists, 'known' | 'list' | 'part'>;
  /** Admits a client again after a while. @throws ProblemError if it is not let in any more */
  readonly readmit: (client: InSession) => Promise<InSession>;
  readonly publicUrl: string;
  /** Of the service. */
  readonly version: string;
}
