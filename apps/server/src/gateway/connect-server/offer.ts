import { helloOf } from '../../mcp/client-hello.ts';
import type { Era } from '../../mcp/era.ts';
import type { Reply } from '../../mcp/server/reply.ts';
import { type Offer, resultIn } from '../../mcp/server/serve.ts';
import { newestLegacyVersion, type SpokenEras } from '../../mcp/spoken-eras.ts';
import { type Admission, sessionCallerOf } from '../admission.ts';
import type { Call } from '../call.ts';
import { ConnectStream, listenTexts } from './connect-stream.ts';
import type { ConnectServerDeps } from './deps.ts';
import {
  type ConnectAdvice,
  connectTool,
  descriptionOf,
  invite,
  serverInfo,
  TOOL_NAME,
} from './tool.ts';

/** The lists end as soon as the person has connected. */
const UNCACHED = { ttlMs: 0, cacheScope: 'private' };

/**
 * One tool, which says how to connect, and every list.
 *
 * @param spoken by the upstream, which the client goes on with once its person has connected
 */
export function connectOffer(
  call: Call,
  era: Era,
  { route, caller }: Admission,
  advice: ConnectAdvice,
  spoken: SpokenEras,
  { connectSessions, openCalls, limits, version }: ConnectServerDeps,
): Offer<Reply> {
  const info = serverInfo(version);
  return {
    serverInfo: info,
    capabilities: { tools: { listChanged: true } },
    instructions: () => descriptionOf(advice),
    newestVersion: newestLegacyVersion(spoken),
    ttlMs: UNCACHED.ttlMs,
    refusal: advice.error,
    begin: (initialize, protocolVersion) =>
      connectSessions.issue(route, sessionCallerOf(caller), helloOf(initialize, protocolVersion)),
    list(list) {
      const listed = { [list]: list === 'tools' ? [connectTool(advice)] : [] };
      return resultIn(era, { ...listed, ...(era === 'modern' && UNCACHED) }, info);
    },
    call(request) {
      const isOurs = request.method === 'tools/call' && request.params.name === TOOL_NAME;
      return isOurs ? () => invite(era, request, advice, version) : undefined;
    },
    listen(request) {
      const texts = listenTexts(request, call.requestId);
      if (texts === undefined) return false;
      const stream = new ConnectStream(call, texts, limits);
      stream.start();
      if (texts.isOver) stream.end();
      else openCalls.reauthorizeIfChanged(call);
      return true;
    },
  };
}
