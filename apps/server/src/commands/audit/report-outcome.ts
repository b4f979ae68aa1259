import type { Finding, Report, RunReport } from '../../audit/verify/report.ts';
import { EXIT } from '../../control/command-error.ts';
import type { Outcome } from '../definition.ts';

/** What a person reads of a report. */
export function reportOutcome(report: Report): Outcome {
  const { verdict, findings, runs } = report;
  const isVerified = verdict === 'verified';
  const lines = [
    isVerified ? `Verified: ${contentsOf(report)}.` : 'Not verified:',
    ...findings.map(findingText),
    '',
    ...runs.map(runText),
    ...notesOn(report),
  ];
  return {
    json: report,
    text: lines.join('\n').trimEnd(),
    exitCode: isVerified ? EXIT.done : EXIT.findings,
  };
}

function contentsOf({ blocks, calls, events }: Report): string {
  const management = number(events - calls);
  return `${number(blocks)} blocks, ${number(calls)} call events, ${management} management events`;
}

function findingText({ code, run, number, eventId, message }: Finding): string {
  const where = [
    ...(run === undefined ? [] : [`run ${run}`]),
    ...(number === undefined ? [] : [`block ${number}`]),
    ...(eventId === undefined ? [] : [`event ${eventId}`]),
  ];
  return `  ${[...where, code].join(', ')}: ${message}`;
}

const ENDS: Readonly<Record<RunReport['end'], string>> = {
  live: 'still running',
  ended: 'ended',
  crashed: 'ended by a crash',
};

function runText({ run, node, first, last, end }: RunReport): string {
  return `run ${run} of node ${node}: blocks ${first} to ${last}, ${ENDS[end]}`;
}

function notesOn({ droppedUntil, keyChecked, headsChecked }: Report): string[] {
  const { calls, management } = droppedUntil;
  return [
    ...(calls === null ? [] : [`Retention has dropped call events until ${calls}.`]),
    ...(management === null
      ? []
      : [`Retention has dropped management events until ${management}.`]),
    ...(keyChecked ? [] : ['No key was given: this only says that the file agrees with itself.']),
    ...(headsChecked === 0 ? [] : [`Heads that the export has: ${headsChecked}.`]),
  ];
}

function number(count: number): string {
  return count.toLocaleString('en');
}
