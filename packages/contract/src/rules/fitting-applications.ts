import { limits } from '../shared/limits.ts';

/**
 * How many applications of a page are shown: as many as have `max` integrations together (by default
 * {@link limits.pageAttachments}), and at least one.
 *
 * @param attachments the number of integrations of each application of the page.
 */
export function fittingApplications(
  attachments: readonly number[],
  max: number = limits.pageAttachments,
): number {
  let total = 0;
  const tooMany = attachments.findIndex((count, index) => {
    total += count;
    return index > 0 && total > max;
  });
  return tooMany === -1 ? attachments.length : tooMany;
}
