import type { AuditVerification } from '@gatehouse/sdk';
import { useQuery } from '@tanstack/react-query';
import { Load } from '../../components/load.tsx';
import { Mono } from '../../components/pairs.tsx';
import { SkeletonText } from '../../components/skeleton.tsx';
import { Status } from '../../components/status.tsx';
import { Time } from '../../components/time.tsx';
import { clockOf } from './clock.tsx';
import { verificationQuery } from './queries.ts';

const WHAT_IT_SHOWS = '/docs/run/audit#the-daily-verification';
const WHAT_TO_DO = '/docs/run/alerts#gatehouseauditnotverified';
const LINK = 'text-accent underline';

/** Whether the audit is whole, as the server found it at its last look. */
export function Verification() {
  const query = useQuery(verificationQuery);
  return (
    <div className="border-b border-line">
      <Load query={query} skeleton={<SkeletonText lines={1} />}>
        {(verification) => (
          <div className="px-4 py-2 text-ink-2">
            {verification === null ? <NotYet /> : <Verified verification={verification} />}
          </div>
        )}
      </Load>
    </div>
  );
}

function NotYet() {
  return (
    <p>
      <Status tone="idle">Not verified yet.</Status> The server verifies all of it once a day.{' '}
      <a href={WHAT_IT_SHOWS} className={LINK}>
        What that shows
      </a>
    </p>
  );
}

function Verified({ verification }: { verification: AuditVerification }) {
  const { at, finishedAt, verdict, findings, crashes } = verification;
  const isWhole = verdict === 'verified';
  return (
    <>
      <p className="flex flex-wrap items-baseline gap-x-2">
        <Status tone={isWhole ? 'ok' : 'bad'}>{isWhole ? 'Verified' : 'Not verified'}</Status>
        <span className="min-w-0">
          {isWhole ? 'Nothing' : 'Something'} is missing or changed up to {clockOf(at)}:{' '}
          {countsOf(verification)}.{crashes > 0 && ` ${crashSentence(crashes)}`}{' '}
          <a href={isWhole ? WHAT_IT_SHOWS : WHAT_TO_DO} className={LINK}>
            {isWhole ? 'What that shows' : 'What to do'}
          </a>
        </span>
        <span className="wide:ml-auto">
          <Time at={finishedAt} />
        </span>
      </p>
      {findings.length > 0 && (
        <ul aria-label="What was found" className="mt-1 grid gap-1">
          {findings.map(({ code, run, number, message }) => (
            <li key={`${code} ${run} ${number}`} className="foreign">
              {message}
              {run !== null && (
                <Mono>
                  {' '}
                  {run}
                  {number !== null && `:${number}`}
                </Mono>
              )}
            </li>
          ))}
        </ul>
      )}
      <Dropped verification={verification} />
    </>
  );
}

/** It is said of the whole installation, which may have further organizations. */
function countsOf({ blocks, calls, changes }: AuditVerification): string {
  const [ofBlocks, ofCalls, ofChanges] = [blocks, calls, changes].map((count) =>
    count.toLocaleString('en'),
  );
  return `${ofCalls} calls and ${ofChanges} changes in ${ofBlocks} blocks, of all organizations`;
}

function crashSentence(crashes: number): string {
  return crashes === 1
    ? 'A process ended by a crash, so up to a second of its calls may be missing.'
    : `${crashes.toLocaleString('en')} processes ended by a crash, so up to a second of the calls of each may be missing.`;
}

/** What is gone because its time was over. */
function Dropped({ verification: { droppedUntil } }: { verification: AuditVerification }) {
  const { calls, management } = droppedUntil;
  const parts = [
    calls === null ? [] : [`calls until ${clockOf(calls)}`],
    management === null ? [] : [`changes until ${clockOf(management)}`],
  ].flat();
  if (parts.length === 0) return null;
  return <p>No longer kept: {parts.join(', ')}.</p>;
}
