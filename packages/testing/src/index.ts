export type { ListenOptions } from './listen.ts';
export type { RecordedRequest, Recording } from './recording.ts';
export type { Exchange, ScriptedResponse } from './scripted-upstream/exchange.ts';
export type { SseEvent } from './scripted-upstream/sse.ts';
export {
  type ExchangeHandler,
  type ScriptedUpstream,
  startScriptedUpstream,
} from './scripted-upstream/start-scripted-upstream.ts';
export { startUpstream, type Upstream, type UpstreamOptions } from './upstream/start-upstream.ts';
