import {
  clauseOf,
  credentialFailures,
  type Failure,
  hintOf,
  type ValidationStatus,
} from '@gatehouse/contract';
import type { ReadyCredential, UnusableCredential } from '../outcome.ts';
import type { Finding } from './finding.ts';

/** The verdict of validate. The message is one sentence of at most 500 characters without any secret. */
export interface ProbeVerdict {
  readonly status: ValidationStatus;
  readonly message: string;
}

/** The name of the credential that was sent. */
export const CREDENTIAL_NAMES: Readonly<Record<ReadyCredential['source'], string>> = {
  none: 'no credential',
  server_token: 'the server token',
  connection: 'your connection',
};

/** The verdict of a failure. @param detail numbers that the server sent, and the credential that it got */
export function verdictOfFailure(failure: Failure, detail?: string): ProbeVerdict {
  const [sentence, hint] = [failure.sentence.slice(0, -1), clauseOf(hintOf(failure))];
  const noted = detail === undefined ? sentence : `${sentence} (${detail})`;
  return { status: failure.outcome, message: `${noted}; ${hint}.` };
}

/** Why a credential cannot be sent, and what to do: a clause within a sentence. */
export function whyNoCredential({ reason }: UnusableCredential): string {
  const failure = credentialFailures[reason];
  return `${clauseOf(failure.sentence)}; ${clauseOf(hintOf(failure))}`;
}

/** @param why a sentence or two */
export function cannotConnect(why: string): string {
  return `The server was reached, but people cannot connect to it yet. ${why}`;
}

/** The default places may still be right. @param why a sentence or two */
export function nowhereToConnect(why: string): string {
  return `The server was reached, but nothing says where people connect to it. ${why}`;
}

/** The verdict of a refused credential, which the sentence names. */
export function verdictOfRefusal(
  failure: Failure,
  source: ReadyCredential['source'],
  status: number,
): ProbeVerdict {
  const sentence = failure.sentence.replace('the credential', CREDENTIAL_NAMES[source]);
  return verdictOfFailure({ ...failure, sentence }, String(status));
}

/** Only numbers of a response, and where it redirects within the URL's own origin. */
export function detailOf(finding: Finding, source: ReadyCredential['source']): string | undefined {
  if (finding.kind === 'redirect') {
    const { status, to } = finding;
    return to === undefined ? String(status) : `${status}, to ${to}, shown without its query`;
  }
  if (finding.kind !== 'other') return undefined;
  const { status, errorCode } = finding;
  const error = errorCode === undefined ? [] : [`JSON-RPC error ${errorCode}`];
  return [status, ...error, `with ${CREDENTIAL_NAMES[source]}`].join(', ');
}
