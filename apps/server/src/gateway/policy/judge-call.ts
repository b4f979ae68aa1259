import type { Envelope } from '../../mcp/envelope/message.ts';
import { envelopeOf } from '../../mcp/envelope/read-envelope.ts';
import { listKeyOf, mcpLists } from '../../mcp/methods.ts';
import { isPlainUtf8 } from '../../mcp/plain-utf8.ts';
import type { RefusalLog } from '../../policy/log-refusal.ts';
import type { Admission } from '../admission.ts';
import type { Call } from '../call.ts';
import { isCounted } from '../limit-call.ts';
import type { OpenCalls } from '../open-calls.ts';
import { type JsonAnswer, mustBePlain, unreadable } from '../own-answer.ts';
import { logRefusedCall, rulesBegan } from '../problems.ts';
import { BodyStream, type RequestBody } from '../request-body.ts';
import type { Route } from '../routes.ts';
import { type Filtering, filteringOf, unfiltered } from './filtering.ts';
import { judge } from './judge.ts';
import { judgedHeadersOf } from './judged-headers.ts';
import { peekRules, type RulesDeps, type RulesNow, readRulesFor } from './rules-now.ts';

export interface JudgeCallDeps extends RulesDeps {
  readonly openCalls: Pick<OpenCalls, 'mayHaveChanged'>;
  readonly log: RefusalLog;
}

type Judgeable = Pick<Admission, 'caller' | 'route' | 'credential'>;

/** The decision of the rules about a call. */
export interface Judged {
  readonly rules: RulesNow;
  /** The messages of its body, where something needed to know them. */
  readonly read: Envelope | undefined;
  /** The answer to a call that is refused. */
  readonly refusal: JsonAnswer | undefined;
  /** How the response is read; undefined where no rule is about names. */
  readonly filtering: Filtering | undefined;
}

/**
 * Judges a call by the rules about names that are in force now: its body may have come slowly. Without such rules only a
 * body that may hide a call is refused, and a short one passes at once.
 *
 * @param before the decision before the call waited, which stands if the rules are the same
 * @throws ProblemError `unsupported_media_type`; `overloaded` where a body cannot be judged any more
 */
export function judgeCall(
  call: Call,
  admission: Judgeable,
  body: RequestBody,
  deps: JudgeCallDeps,
  before?: Judged,
): Judged | Promise<Judged> {
  const route = before?.rules.route ?? admission.route;
  const read = before === undefined ? readMessages(call, body, route) : before.read;
  const mayWait = route.policy?.hasNameRules || deps.openCalls.mayHaveChanged(call);
  if (mayWait || read instanceof Promise) {
    return judgeByRulesNow(call, { ...admission, route }, body, read, deps, before);
  }
  return before ?? withoutNames({ route, catalogue: undefined }, call, read);
}

async function judgeByRulesNow(
  call: Call,
  admission: Judgeable,
  body: RequestBody,
  reading: Envelope | Promise<Envelope> | undefined,
  deps: JudgeCallDeps,
  before: Judged | undefined,
): Promise<Judged> {
  const { route } = admission;
  const read = await reading;
  const known = deps.openCalls.mayHaveChanged(call) ? undefined : peekRules(route, deps);
  const rules = known ?? (await readRulesFor(route, deps));
  if (before !== undefined && isSame(before.rules, rules)) return before;
  const haveBegun = !route.policy?.hasNameRules && rules.route.policy?.hasNameRules === true;
  if (haveBegun) return judgeCall(call, { ...admission, route: rules.route }, body, deps);
  return judgeBy(rules, call, admission, read, deps);
}

/** New definitions of tools may have been seen at any moment, so a decision about them does not stand. */
function isSame(before: RulesNow, now: RulesNow): boolean {
  return before.route.policy === now.route.policy && now.catalogue === undefined;
}

async function judgeBy(
  rules: RulesNow,
  call: Call,
  { caller, credential }: Judgeable,
  read: Envelope | undefined,
  deps: JudgeCallDeps,
): Promise<Judged> {
  const { route } = rules;
  if (!route.policy?.hasNameRules) return withoutNames(rules, call, read);
  const passed: Judged = { rules, read, refusal: undefined, filtering: undefined };
  if (read === undefined) {
    const { method } = call.request;
    if (method === 'POST') throw rulesBegan();
    return method === 'GET' ? { ...passed, filtering: filteringOf(rules, deps) } : passed;
  }
  const headers = judgedHeadersOf(call.request.rawHeaders);
  const judgement = await judge(read, headers, rules, credential.kind === 'ready');
  if (judgement.kind === 'allowed') {
    const hasList = isListing(judgement.methods, rules);
    return { ...passed, filtering: hasList ? filteringOf(rules, deps) : unfiltered(rules) };
  }
  const { status, json, reasons } = judgement;
  if (reasons.length > 0) logRefusedCall(deps.log, call, { caller, route }, reasons);
  const codes = reasons.length > 0 ? reasons.map(({ code }) => code) : ['unreadable'];
  return {
    ...passed,
    refusal: { kind: 'answer', status, json, outcome: 'policy', reasons: codes },
  };
}

/** No rule is about names: only a body that may hide a call is refused. */
function withoutNames(rules: RulesNow, { notes }: Call, read: Envelope | undefined): Judged {
  const mayHide = notes.needsMessages && read?.kind === 'unreadable' && read.mayCall;
  const refusal = mayHide ? unreadable(read.reason, 'refused') : undefined;
  return { rules, read, refusal, filtering: undefined };
}

/** Whether a message asks for a list that the rules limit. */
function isListing(methods: readonly (string | undefined)[], { route }: RulesNow): boolean {
  return methods.some((method = '') => {
    const list = listKeyOf(method);
    return list !== undefined && route.policy?.kinds.has(mcpLists[list].capability);
  });
}

/**
 * The messages of a body, where rules, limits or the record of the call need them. A body that streams is read as it
 * passes, see {@link BodyStream}.
 *
 * @throws ProblemError `unsupported_media_type` for a body that two parsers may decode differently
 */
function readMessages(
  call: Pick<Call, 'request' | 'notes'>,
  body: RequestBody,
  route: Pick<Route, 'policy' | 'limits'>,
): Envelope | Promise<Envelope> | undefined {
  const isJudged = route.policy?.hasNameRules === true;
  const isNeeded = isJudged || call.notes.needsMessages || isCounted(call, route);
  if (body === null || !isNeeded) return call.request.behind?.envelope;
  const headers = judgedHeadersOf(call.request.rawHeaders);
  if (!isPlainUtf8(headers['content-type'], headers['content-encoding'])) throw mustBePlain();
  if (body instanceof BodyStream || (body.length === 0 && !isJudged)) return undefined;
  // The aggregate has read the message, but rules judge the bytes that go up.
  return (isJudged ? undefined : call.request.behind?.envelope) ?? envelopeOf(body);
}
