import { type ValidationStatus, validationStatusLabels } from '@gatehouse/contract';
import type { Integration } from '@gatehouse/sdk';
import { Status, type Tone } from '../../components/status.tsx';
import { entryOf, labelOf } from '../labels.ts';

const TONES: Readonly<Record<ValidationStatus, Tone>> = {
  valid: 'ok',
  invalid: 'bad',
  pending: 'idle',
};

export function IntegrationStatus({
  integration: { validationStatus, archivedAt },
}: {
  integration: Pick<Integration, 'validationStatus' | 'archivedAt'>;
}) {
  if (archivedAt !== null) return <Status tone="idle">Archived</Status>;
  return (
    <Status tone={entryOf(TONES, validationStatus) ?? 'idle'}>
      {labelOf(validationStatusLabels, validationStatus)}
    </Status>
  );
}

/** The host of a URL, or all of it where it is none. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}
