import type { Application } from '@gatehouse/sdk';

/** What works through an application now, and stops with it. */
export function WhatEnds({ application }: { application: Application }) {
  const { activeSessionCount, idleSessionCount, liveSessionCount, totalSessionCount } = application;
  const open = activeSessionCount + idleSessionCount;
  return (
    <p>
      {open === 0
        ? 'No session is open now.'
        : `${open === 1 ? '1 open session ends' : `${open} open sessions end`}, ${liveSessionCount} of them with a request in flight.`}{' '}
      Tokens, grants and remembered consents of every person end too: clients have to sign in again.{' '}
      {totalSessionCount === 0 && 'It has never been used.'}
    </p>
  );
}
