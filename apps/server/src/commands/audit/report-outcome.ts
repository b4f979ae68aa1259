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
    ...madeText(report),
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

/** An export of one day verifies too: a reader has to know that it is one. */
function madeText({ export: made }: Report): string[] {
  if (made === null) return [];
  const { at, organizationId, from, to } = made;
  const owner = organizationId === null ? 'all organizations' : `organization ${organizationId}`;
  const since = from === null ? '' : `, only from ${from}`;
  const until = to === null ? '' : `, only until ${to}`;
  return [`Read from the database at ${at}, of ${owner}${since}${until}.`];
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

function runText({ run, node, first, last, from, to, end }: RunReport): string {
  return `run ${run} of node ${node}: blocks ${first} to ${last}, ${from} to ${to}, ${ENDS[end]}`;
}

const NO_KEY =
  'No key was given: this only says that all of it agrees with itself. Pass one that came by another way: --key.';

function notesOn({ droppedUntil, keyChecked, headsChecked }: Report): string[] {
  const { calls, management } = droppedUntil;
  return [
    ...(calls === null ? [] : [`Retention has dropped call events until ${calls}.`]),
    ...(management === null
      ? []
      : [`Retention has dropped management events until ${management}.`]),
    ...(keyChecked ? [] : [NO_KEY]),
    ...(headsChecked === 0 ? [] : [`Heads that the export has: ${headsChecked}.`]),
  ];
}

function number(count: number): string {
  return count.toLocaleString('en');
}
