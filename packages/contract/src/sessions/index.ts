export type {
  EndedSessions,
  EndSessionsBody,
  EndSessionsResponse,
  ListAllSessionsQuery,
  SessionWithNames,
} from './all-sessions.schema.ts';
export {
  listSessionsQuerySchema,
  type Session,
  type SessionEra,
  type SessionKind,
  type SessionState,
  sessionEraSchema,
  sessionKindSchema,
  sessionPageSchema,
  sessionParamsSchema,
  sessionSchema,
  sessionStateSchema,
} from './sessions.schema.ts';
