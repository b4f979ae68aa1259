import type { AuditEvent } from '@gatehouse/sdk';
import { Link } from '@tanstack/react-router';
import { Copy } from '../../components/copy.tsx';
import { Mono, Pair, Pairs } from '../../components/pairs.tsx';
import { Status } from '../../components/status.tsx';
import { actorNameOf, viaOf } from './actor.ts';
import { callOf } from './call.ts';
import { CallFacts } from './call-facts.tsx';
import { ChangeFacts } from './change-facts.tsx';
import { exactTimeOf } from './clock.tsx';
import { applicationIdOf } from './columns.tsx';
import { Named } from './named.tsx';
import { outcomeOf } from './outcomes.ts';

const LINK = 'text-accent underline';

/** Everything that is known of an event. */
export function EventFacts({ event }: { event: AuditEvent }) {
  const { id, at, actor, target, address } = event;
  const call = callOf(event);
  const applicationId = applicationIdOf(event);
  const { tone, label, sentence } = outcomeOf(event);
  return (
    <Pairs>
      <Pair name="Outcome">
        <Status tone={tone}>{label}</Status>
        <span className="block text-ink-2">{sentence}</span>
        <Rules event={event} />
      </Pair>
      <Pair name="Who">
        <Named kind={actor.kind} id={actor.id} name={actorNameOf(event)} />
        <span className="block text-ink-2">by {viaOf(event)}</span>
        {actor.id !== null && (
          <Link to="/activity/log" search={{ actorId: actor.id }} className={`block ${LINK}`}>
            Everything they did
          </Link>
        )}
      </Pair>
      {applicationId !== undefined && (
        <Pair name="Through">
          <Named kind="application" id={applicationId} name={null} />
        </Pair>
      )}
      <Pair name="To">
        <Named kind={target.kind} id={target.id} name={target.name} />
      </Pair>
      <Pair name="When">{exactTimeOf(at)}</Pair>
      {call !== undefined && <CallFacts event={event} call={call} />}
      {call === undefined && <ChangeFacts details={event.details} />}
      {address !== null && (
        <Pair name="Address">
          <Mono>{address}</Mono>
        </Pair>
      )}
      <RequestFact event={event} />
      <Pair name="Event">
        <Mono>{id}</Mono>
      </Pair>
      <Pair name="As JSON">
        <Copy text={JSON.stringify(event, null, 2)} name="the event as JSON" />
      </Pair>
    </Pairs>
  );
}

function RequestFact({ event: { requestId } }: { event: AuditEvent }) {
  if (requestId === null) return null;
  return (
    <Pair name="Request">
      <span className="grid justify-items-start gap-1">
        <Mono>{requestId}</Mono>
        <Copy text={requestId} name="the request id" />
        <Link to="/activity/log" search={{ requestId }} className={LINK}>
          Everything of this request
        </Link>
      </span>
    </Pair>
  );
}

/** The rules that have refused a call, where they are changed. */
function Rules({ event }: { event: AuditEvent }) {
  const { applicationId, integrationId } = callOf(event) ?? {};
  if (event.outcome !== 'policy' || !applicationId || !integrationId) return null;
  return (
    <Link to="/access" search={{ focus: applicationId, other: integrationId }} className={LINK}>
      See the rules
    </Link>
  );
}
