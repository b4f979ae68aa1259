import { connectionReasonLabels, policyReasonSentences, problemCodes } from '@gatehouse/contract';
import { entryOf } from '../../api/labels.ts';

/** Why a call was refused or failed, in a sentence where the code is known. */
export function reasonOf(code: string): string {
  return (
    entryOf<string>(policyReasonSentences, code) ??
    entryOf<{ readonly sentence: string }>(connectionReasonLabels, code)?.sentence ??
    entryOf<{ readonly title: string }>(problemCodes, code)?.title ??
    code
  );
}
