import { type ValidationStatus, validationStatusLabels } from '@gatehouse/contract';
import type { Integration } from '@gatehouse/sdk';
import { entryOf, labelOf } from '../../api/labels.ts';
import { Status, type Tone } from '../../components/status.tsx';

const TONES: Readonly<Record<ValidationStatus, Tone>> = {
  valid: 'ok',
  invalid: 'bad',
  pending: 'idle',
};

export function IntegrationStatus({
  integration: { validationStatus, validationMessage, archivedAt },
}: {
  integration: Pick<Integration, 'validationStatus' | 'archivedAt'> & {
    validationMessage?: string;
  };
}) {
  if (archivedAt !== null) return <Status tone="idle">Archived</Status>;
  const isValidated = validationStatus !== 'pending' || validationMessage !== undefined;
  return (
    <Status tone={entryOf(TONES, validationStatus) ?? 'idle'}>
      {isValidated ? labelOf(validationStatusLabels, validationStatus) : 'Not validated'}
    </Status>
  );
}

/** The host of a URL, or all of it where it is none. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}
