import { whyNotNamed, whyNotTemplate } from './names.ts';
import {
  areLimited,
  areNamesLimited,
  type Reason,
  type Rules,
  type RulesOfLevels,
  refusalsOfLevels,
} from './rules.ts';
import { type Tools, UNSEEN, whyNotTool } from './tools.ts';

export interface Params {
  readonly name?: string;
  readonly uri?: string;
  readonly ref?: { readonly type: string; readonly name?: string; readonly uri?: string };
  readonly task?: object;
  readonly notifications?: { readonly resourceSubscriptions: readonly string[] };
  readonly _meta?: object;
}

/** A JSON-RPC message: a request, a notification (without id) or a response (without method). */
export interface Message {
  readonly jsonrpc: '2.0';
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: Params;
  readonly result?: object;
}

export type AuthMode = 'server_token' | 'user_token' | 'none';

/** What decides about the messages of a call, besides who sends it. */
export interface Situation {
  readonly rules: RulesOfLevels;
  readonly authMode: AuthMode;
  readonly tools: Tools;
}

/** What a message with a method asks for cannot be judged without these. */
export function isUnreadable({ method, params = {} }: Message): boolean {
  const { name, uri, ref } = params;
  switch (method) {
    case 'tools/call':
    case 'prompts/get':
      return name === undefined;
    case 'resources/read':
    case 'resources/subscribe':
      return uri === undefined;
    case 'completion/complete':
      if (ref?.type === 'ref/prompt') return ref.name === undefined;
      if (ref?.type === 'ref/resource') return ref.uri === undefined;
      return ref === undefined;
    default:
      return false;
  }
}

/** Why the rules of each level refuse a message. A response is never refused. */
export function whyRefused(message: Message, situation: Situation): Reason[] {
  const { method, params = {} } = message;
  const refusals = refusalsOfLevels(situation.rules, (rules) =>
    refusalOf(rules, message, situation),
  );
  const isTask = method === 'tools/call' && params.task !== undefined;
  return isTask && refusals.length === 0 ? refusalsOfLevels(situation.rules, whyNotTask) : refusals;
}

/** A task may be of any tool, so that all must be allowed. */
function whyNotTask({ tools = {} }: Rules): string | undefined {
  const { allow = ['*'], deny = [], readOnly = false, pinned } = tools;
  const isFree = deny.length === 0 && !readOnly && pinned === undefined;
  const allowsAll = allow.some((pattern) => pattern !== '' && pattern.replaceAll('*', '') === '');
  return isFree && allowsAll ? undefined : 'task_tool_unknown';
}

function refusalOf(
  rules: Rules,
  { method, params = {} }: Message,
  { authMode, tools }: Situation,
): string | undefined {
  const { name = '', uri = '', ref } = params;
  switch (method) {
    case undefined:
      return undefined;
    case 'tools/call':
      return whyNotTool(rules, name, tools.get(name) ?? UNSEEN);
    case 'prompts/get':
      return whyNotNamed('prompts', rules, name);
    case 'resources/read':
    case 'resources/subscribe':
      return whyNotNamed('resources', rules, uri);
    case 'subscriptions/listen':
      return params.notifications?.resourceSubscriptions
        .map((each) => whyNotNamed('resources', rules, each))
        .find((code) => code !== undefined);
    case 'completion/complete':
      if (ref?.type === 'ref/prompt') return whyNotNamed('prompts', rules, ref.name ?? '');
      if (ref?.type === 'ref/resource') return whyNotTemplate(rules, ref.uri ?? '');
      return isAbout(rules, ['prompts', 'resources']) ? 'method_unknown' : undefined;
    // Where the upstream knows one caller, it would list the tasks of everyone.
    case 'tasks/list':
      if (authMode !== 'user_token' && areNamesLimited(rules)) return 'task_list_shared';
      return whyNotTask(rules);
    case 'tasks/get':
    case 'tasks/result':
    case 'tasks/update':
    case 'tasks/cancel':
      return whyNotTask(rules);
    default:
      return ALWAYS.test(method) ? undefined : whyUnknown(rules, method);
  }
}

const ALWAYS = new RegExp(
  [
    '^initialize$|^ping$|^server/discover$|^notifications/|^logging/',
    '^(tools|prompts|resources|resources/templates)/list$|^resources/unsubscribe$',
  ].join('|'),
);

/** Nobody can say what a method does that MCP does not have. */
function whyUnknown(rules: Rules, method: string): string | undefined {
  const kinds = (['tools', 'prompts', 'resources'] as const).filter((kind) =>
    method.startsWith(`${kind}/`),
  );
  const mayWrite = rules.tools?.readOnly === true;
  return isAbout(rules, kinds) || mayWrite ? 'method_unknown' : undefined;
}

const isAbout = (rules: Rules, kinds: readonly ('tools' | 'prompts' | 'resources')[]) =>
  kinds.some((kind) => areLimited(kind, rules));
