import type { Session } from '@gatehouse/sdk';
import { Status } from '../../components/status.tsx';
import { stateOf } from './labels.ts';

export function SessionState({ session }: { session: Session }) {
  return <Status tone={session.state === 'open' ? 'ok' : 'idle'}>{stateOf(session)}</Status>;
}
