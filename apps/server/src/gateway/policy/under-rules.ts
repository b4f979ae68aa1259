import type { Envelope } from '../../mcp/envelope/message.ts';
import { envelopeOf } from '../../mcp/envelope/read-envelope.ts';
import { listKeyOf, mcpLists } from '../../mcp/methods.ts';
import { isPlainUtf8 } from '../../mcp/plain-utf8.ts';
import type { RefusalLog } from '../../policy/log-refusal.ts';
import type { Admission } from '../admission.ts';
import type { Call } from '../call.ts';
import type { OpenCalls } from '../open-calls.ts';
import { rulesBegan } from '../problems.ts';
import { BodyStream, type RequestBody } from '../request-body.ts';
import type { Route } from '../routes.ts';
import { mustBePlain } from '../unreadable-body.ts';
import { type Filtering, filteringOf, unfiltered } from './filtering.ts';
import { type Judgement, judge } from './judge.ts';
import { judgedHeadersOf } from './judged-headers.ts';
import { passReadable } from './pass-readable.ts';
import { logRefusedCall } from './refusals.ts';
import { peekRules, type RulesDeps, type RulesNow, readRules } from './rules-now.ts';

export interface UnderRulesDeps extends RulesDeps {
  readonly openCalls: Pick<OpenCalls, 'mayHaveChanged'>;
  readonly log: RefusalLog;
}

type Pass = (filtering: Filtering | undefined) => void;

/**
 * Judges a call by the rules about names. If they allow it, calls `pass` with the way in which its response is
 * read; otherwise refuses it. Without such rules only a body that may hide a call is refused. The rules are those in
 * force now: the body may have come slowly.
 */
export function underRules(
  call: Call,
  admission: Pick<Admission, 'route' | 'credential'>,
  body: RequestBody,
  deps: UnderRulesDeps,
  pass: Pass,
): void {
  if (!deps.openCalls.mayHaveChanged(call)) {
    applyRules(call, admission, body, deps, pass);
    return;
  }
  const refuse = (error: unknown): void => refuseCall(call, body, error);
  const goOn = ({ policy }: Route): void => {
    // The rest stays as admitted: the credential belongs to that upstream.
    const route = { ...admission.route, policy };
    call.reroute(route);
    applyRules(call, { ...admission, route }, body, deps, pass);
  };
  const { organizationId, key } = admission.route;
  try {
    const current = deps.routes.peek(organizationId, key);
    if (current !== undefined) goOn(current);
    else deps.routes.get(organizationId, key).then(goOn).catch(refuse);
  } catch (error) {
    refuse(error);
  }
}

function applyRules(
  call: Call,
  { route, credential }: Pick<Admission, 'route' | 'credential'>,
  body: RequestBody,
  deps: UnderRulesDeps,
  pass: Pass,
): void {
  if (!route.policy?.hasNameRules) {
    passReadable(call, body, (hasWaited) => {
      // Rules may have begun meanwhile.
      if (hasWaited) underRules(call, { route, credential }, body, deps, pass);
      else pass(undefined);
    });
  } else if (body instanceof Buffer) {
    judgeWhole(call, route, body, credential.kind === 'ready', deps, pass);
  } else if (call.request.method === 'POST') {
    refuseCall(call, body, rulesBegan());
  } else if (call.request.method !== 'GET') {
    pass(undefined);
  } else {
    const filter = (rules: RulesNow): void => pass(filteringOf(rules, deps));
    const rules = peekRules(route, deps);
    if (rules !== undefined) filter(rules);
    else
      readRules(route, deps)
        .then(filter)
        .catch((error: unknown) => call.refuse(error));
  }
}

function refuseCall(call: Call, body: RequestBody, error: unknown): void {
  call.refuse(error);
  if (body instanceof BodyStream) body.destroy();
}

/** Reads the body, and judges it by the rules in force then. */
function judgeWhole(
  call: Call,
  admitted: Route,
  body: Buffer,
  isConnected: boolean,
  deps: UnderRulesDeps,
  pass: Pass,
): void {
  const follow = (judgement: Judgement, rules: RulesNow): void => {
    if (judgement.kind === 'refused') {
      const caller = call.admission?.caller;
      const { status, json, reasons } = judgement;
      if (caller && reasons.length > 0) {
        logRefusedCall(deps.log, call, { caller, route: admitted }, reasons);
      }
      for (const { code } of reasons) call.notes.addReason(code);
      if (reasons.length === 0) call.notes.addReason('unreadable');
      call.answer(status, json, [], 'policy');
      return;
    }
    const isListing = judgement.methods.some((method = '') => {
      const list = listKeyOf(method);
      return list !== undefined && rules.route.policy?.kinds.has(mcpLists[list].capability);
    });
    pass(isListing ? filteringOf(rules, deps) : unfiltered(rules));
  };
  const refuse = (error: unknown): void => call.refuse(error);
  const headers = judgedHeadersOf(call.request.rawHeaders);
  const judgeBy = (envelope: Envelope, rules: RulesNow): void => {
    call.notes.envelope = envelope;
    const judgement = judge(envelope, headers, rules, isConnected);
    if (!(judgement instanceof Promise)) follow(judgement, rules);
    else judgement.then((judged) => follow(judged, rules)).catch(refuse);
  };
  const whenRead = async (reading: Envelope | Promise<Envelope>): Promise<void> =>
    judgeBy(await reading, await readRules(admitted, deps));
  try {
    if (!isPlainUtf8(headers['content-type'], headers['content-encoding'])) throw mustBePlain();
    const envelope = envelopeOf(body);
    const rules = peekRules(admitted, deps);
    if (rules !== undefined && !(envelope instanceof Promise)) judgeBy(envelope, rules);
    else whenRead(envelope).catch(refuse);
  } catch (error) {
    refuse(error);
  }
}
