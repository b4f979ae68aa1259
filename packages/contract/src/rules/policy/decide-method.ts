import type { PolicyReason, PolicyReasonCode } from '../../shared/policy-reason.ts';
import { decideName, MAX_NAME_LENGTH, nameRefusal, notAllowed } from './decide-name.ts';
import { decideTemplate } from './decide-template.ts';
import { decideTool, type ToolFacts } from './decide-tool.ts';
import { NO_REASONS, reasonsOf } from './policy-reasons.ts';
import {
  hasNameRules,
  hasRulesOf,
  mayRefuseTools,
  type NameKind,
  nameKinds,
  type PolicyLevel,
} from './policy-rules.ts';

/** What a completion is for: `params.ref`. */
export interface CompletionReference {
  readonly type?: string | undefined;
  readonly name?: string | undefined;
  readonly uri?: string | undefined;
}

/**
 * A request or notification, by its body. A value that is missing or of another type is undefined, and refused where it
 * counts.
 */
export interface PolicyRequest {
  readonly method: string;
  /** `params.name`. */
  readonly name?: string | undefined;
  /** `params.uri`. */
  readonly uri?: string | undefined;
  readonly ref?: CompletionReference | undefined;
  /** Whether `params.task` is there: a tool is to run as a task (MCP 2025-11-25). */
  readonly hasTask?: boolean | undefined;
  /** The URIs that a `subscriptions/listen` asks for. */
  readonly resourceSubscriptions?: readonly string[] | undefined;
  /** Of the tool that is called, as it was seen last; undefined if it never was. */
  readonly tool?: ToolFacts | undefined;
  /** The auth mode of the integration. */
  readonly authMode: string;
}

/** Whether a request may go up, by the rules about names. */
export function decideMethod(
  levels: readonly PolicyLevel[],
  request: PolicyRequest,
): readonly PolicyReason[] {
  switch (request.method) {
    case 'tools/call':
      return decideCall(levels, request);
    case 'prompts/get':
      return decideName(levels, 'prompts', request.name);
    case 'resources/read':
    case 'resources/subscribe':
      return decideName(levels, 'resources', request.uri);
    case 'completion/complete':
      return decideReference(levels, request.ref);
    case 'subscriptions/listen':
      return reasonsOf(levels, (level) => listenRefusal(level, request.resourceSubscriptions));
    case 'tasks/list':
      return reasonsOf(levels, (level) => taskListRefusal(level, request.authMode));
    case 'tasks/get':
    case 'tasks/result':
    case 'tasks/update':
    case 'tasks/cancel':
      return reasonsOf(levels, taskRefusal);
    // Their responses are filtered.
    case 'tools/list':
    case 'prompts/list':
    case 'resources/list':
    case 'resources/templates/list':
    // It only ends a subscription, which may no longer be allowed.
    case 'resources/unsubscribe':
      return NO_REASONS;
    default:
      return decideUnknown(levels, request.method);
  }
}

function decideCall(
  levels: readonly PolicyLevel[],
  { name, tool, hasTask = false }: PolicyRequest,
): readonly PolicyReason[] {
  const reasons = decideTool(levels, name, tool);
  // Nobody could ask for its result.
  return reasons.length === 0 && hasTask ? reasonsOf(levels, taskRefusal) : reasons;
}

function decideReference(
  levels: readonly PolicyLevel[],
  ref: CompletionReference | undefined,
): readonly PolicyReason[] {
  if (ref?.type === 'ref/prompt') return decideName(levels, 'prompts', ref.name);
  if (ref?.type === 'ref/resource') return decideTemplate(levels, ref.uri);
  const isAbout = (level: PolicyLevel) =>
    hasRulesOf(level.rules, 'prompts') || hasRulesOf(level.rules, 'resources');
  return reasonsOf(levels, (level) => (isAbout(level) ? 'method_unknown' : undefined));
}

/** More is refused if there are rules about resources: one request would take too long. The length is of all URIs together. */
const MAX_SUBSCRIPTIONS = 1000;
const MAX_SUBSCRIBED_LENGTH = 4 * MAX_NAME_LENGTH;

function listenRefusal(
  level: PolicyLevel,
  uris: readonly string[] = [],
): PolicyReasonCode | undefined {
  if (!hasRulesOf(level.rules, 'resources')) return undefined;
  const length = uris.reduce((sum, uri) => sum + uri.length, 0);
  if (uris.length > MAX_SUBSCRIPTIONS || length > MAX_SUBSCRIBED_LENGTH)
    return notAllowed.resources;
  for (const uri of uris) {
    const code = nameRefusal(level, 'resources', uri);
    if (code !== undefined) return code;
  }
  return undefined;
}

/** In these modes the upstream takes everyone for one caller, and lists the tasks of all. */
const SHARED_MODES: readonly string[] = ['server_token', 'none'];

function taskListRefusal(level: PolicyLevel, authMode: string): PolicyReasonCode | undefined {
  const isShared = SHARED_MODES.includes(authMode) && hasNameRules(level.rules);
  return isShared ? 'task_list_shared' : taskRefusal(level);
}

/** A task does not say which tool it is of, and may be older than the rules, or of another application. */
function taskRefusal({ rules }: PolicyLevel): PolicyReasonCode | undefined {
  return mayRefuseTools(rules) ? 'task_tool_unknown' : undefined;
}

/** Methods of MCP that use no tool, prompt or resource. */
const HARMLESS = /^(?:initialize|ping|server\/discover|(?:notifications|logging)\/.*)$/s;

/** Other methods pass, unless rules are about their kind, or allow only what changes nothing. */
function decideUnknown(levels: readonly PolicyLevel[], method: string): readonly PolicyReason[] {
  if (HARMLESS.test(method)) return NO_REASONS;
  const kind: NameKind | undefined = nameKinds.find((name) => method.startsWith(`${name}/`));
  return reasonsOf(levels, ({ rules }) => {
    const isAbout = kind !== undefined && hasRulesOf(rules, kind);
    return isAbout || rules.tools?.readOnly === true ? 'method_unknown' : undefined;
  });
}
