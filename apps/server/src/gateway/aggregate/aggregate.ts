import type { AggregateState } from '@gatehouse/contract';
import { withMcpChallenge } from '../../http/challenge.ts';
import type { Cursors } from '../../http/cursor.ts';
import type { HostAndOrigin } from '../../http/host-and-origin.ts';
import { limitFailedAuthentication } from '../../http/identify.ts';
import type { Authenticator } from '../../identity/authenticator.ts';
import { requireBearer } from '../../identity/bearer.ts';
import { type Caller, subjectIdOf } from '../../identity/caller.ts';
import { applicationIdOf } from '../../identity/resource.ts';
import type { Store } from '../../platform/database/store.ts';
import type { GatewaySessions } from '../../sessions/sessions.ts';
import { admitCaller, readmitCaller } from '../admission.ts';
import type { ClientRequest, ResponseSink } from '../ports.ts';
import { noStream, postAlone, shuttingDown } from '../problems.ts';
import { receive } from '../receive.ts';
import { checkNoLoop } from '../routes.ts';
import { answerPost } from './answer-post.ts';
import { createAggregateApplications } from './applications.ts';
import { type Admitted, ClientCall, type InSession } from './client-call.ts';
import { ClientRequests } from './client-requests.ts';
import { endSession, sessionOf } from './client-session.ts';
import { AggregateLists } from './lists/lists.ts';
import { ToolIndexes } from './search/tool-indexes.ts';
import { stateFor } from './state-for.ts';
import { legacySpeech } from './streams/legacy-speech.ts';
import { MergedStream, type SpeechDeps } from './streams/merged-stream.ts';
import { StreamlessServers } from './streams/stream-part.ts';
import { AggregateStreams } from './streams/streams.ts';
import { UnusedSessions } from './unused-sessions.ts';
import type { UpstreamCallDeps } from './upstream-calls.ts';

export interface AggregateOptions extends UpstreamCallDeps {
  readonly store: Store;
  readonly authenticator: Authenticator;
  readonly sessions: Pick<GatewaySessions, 'aggregates' | 'behind' | 'questions'>;
  readonly cursors: Cursors;
  readonly hostAndOrigin: HostAndOrigin;
  readonly countFailure: (address: string) => Promise<void>;
  /** Our origin. */
  readonly publicUrl: string;
  /** Of the service. */
  readonly version: string;
}

/** A message that does not begin a session. */
const LATER = {};

/** The one URL of an application: all integrations that it may use, as one MCP server. */
export interface Aggregate {
  /** Answers a request of a client. */
  serve(request: ClientRequest, response: ResponseSink): Promise<void>;
  /** What it lists for a person. @throws ProblemError `not_found` */
  stateFor(caller: Caller, applicationId: string): Promise<AggregateState>;
  /** The open streams end, as at a shutdown. Calls go on. */
  endStreams(): void;
  /** Writes what waits. @throws when that fails */
  close(): Promise<void>;
}

export function createAggregate(options: AggregateOptions): Aggregate {
  const { store, authenticator, publicUrl, callDeps } = options;
  const { limits, openCalls, openStreams, bodyMemory } = callDeps;
  const applications = createAggregateApplications(store, publicUrl);

  const readmit = async (client: InSession): Promise<InSession> => {
    const { id } = client.application;
    const caller = await readmitCaller(authenticator, client.token, client.caller, id);
    const application = await applications.get(caller.organizationId, id);
    const admitted = { ...client, caller, application };
    return { ...admitted, session: await sessionOf(admitted, LATER, options) };
  };
  const streams = new AggregateStreams({
    changes: store.changes,
    openStreams,
    readmit,
    noteUse: async (client) => {
      if (client.session !== undefined) await sessionOf(client, LATER, options);
    },
    onError: (error) => callDeps.log.warn({ err: error }, 'a stream could not be followed'),
  });
  const onLate = ({ application, caller }: InSession): void =>
    streams.noteListChanges(application.id, subjectIdOf(caller));
  const lists = new AggregateLists({ ...options, onLate });
  const clientRequests = new ClientRequests(store, (error) =>
    callDeps.log.warn({ err: error }, 'cancelled requests were not announced'),
  );
  const unused = new UnusedSessions({
    ...callDeps,
    every: limits.unusedEvery,
    onError: (error) => callDeps.log.warn({ err: error }, 'unused sessions could not be ended'),
  });
  const memory = { toolIndexes: new ToolIndexes(), streamless: new StreamlessServers() };
  const own = { clientRequests, readmit, ...memory };
  const deps = { ...options, limits, streams, lists, ...own };

  const admit = async (call: ClientCall): Promise<Admitted> => {
    const token = requireBearer(call.inbound.authorization);
    const id = applicationIdOf(call.request.url);
    const caller = await admitCaller(authenticator, token, id);
    call.letIn(subjectIdOf(caller));
    const application = await applications.get(caller.organizationId, id);
    checkNoLoop(call.inbound, application.loopMark);
    return { call, token, caller, application };
  };

  const answer = async (admitted: Admitted): Promise<void> => {
    const { era, request } = admitted.call;
    if (request.method !== 'POST' && era === 'modern') throw postAlone();
    if (request.method === 'DELETE') await endSession(admitted, options);
    else if (request.method === 'GET') await openGetStream(admitted, deps);
    else await answerPost(admitted, deps);
  };

  const refuse = async (call: ClientCall, thrown: unknown): Promise<void> => {
    const error = await limitFailedAuthentication(thrown, () =>
      options.countFailure(call.request.address),
    );
    call.refuse(withMcpChallenge(error, call.request.url, publicUrl));
  };

  return {
    async serve(request, response) {
      const call = new ClientCall(request, response, bodyMemory);
      try {
        if (openCalls.isClosing) throw shuttingDown();
        if (receive(call, options.hostAndOrigin) === 'preflight') return;
        await answer(await admit(call));
      } catch (error) {
        await refuse(call, error);
      }
    },
    endStreams: () => streams.close(),
    async close() {
      applications.close();
      clientRequests.close();
      await Promise.all([unused.close(), lists.close()]);
    },
    stateFor: (caller, id) => stateFor(caller, id, { ...options, applications, lists }),
  };
}

/** The event stream of a legacy client's session. */
async function openGetStream(
  admitted: Admitted,
  deps: AggregateOptions & {
    readonly streams: AggregateStreams;
    readonly lists: AggregateLists;
  } & SpeechDeps,
): Promise<void> {
  const session = await sessionOf(admitted, LATER, deps);
  if (session === undefined) throw noStream('There is no event stream outside a session.');
  const { headers } = admitted.call.request;
  const lastEventId = headers['last-event-id'];
  const { reconnectAfter } = deps.callDeps.limits;
  const last = typeof lastEventId === 'string' ? lastEventId : undefined;
  const speech = legacySpeech(last, reconnectAfter, deps);
  await deps.streams.open(new MergedStream({ ...admitted, session }, speech, deps));
}
