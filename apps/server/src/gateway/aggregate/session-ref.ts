import type { ClientHello } from '../../mcp/client-hello.ts';

/** The session of a legacy client with the aggregate, for which sessions with integrations are begun. */
export interface AggregateSessionRef {
  readonly id: string;
  readonly hello: ClientHello;
}
