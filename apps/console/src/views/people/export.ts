import { memberRoleLabels } from '@gatehouse/contract';
import type { Member } from '@gatehouse/sdk';
import { gatehouse } from '../../api/gatehouse.ts';
import { labelOf } from '../../api/labels.ts';
import type { Exported } from '../export-button.tsx';

/** Of 100 members each request: the API takes 600 requests in a minute. */
const MOST = 5_000;

const HEAD = ['Person', 'E-mail address', 'Role', 'Added', 'User'];

/** The members of the organization, as far as the filters leave them. */
export async function readMembers(isShown: (member: Member) => boolean): Promise<Exported> {
  const read = await gatehouse.members.list({ limit: 100 }).toArray({ max: MOST + 1 });
  const rows = read
    .slice(0, MOST)
    .filter(isShown)
    .map(({ id, name, email, role, createdAt }) => [
      name,
      email,
      labelOf(memberRoleLabels, role),
      createdAt,
      id,
    ]);
  return { head: HEAD, rows, isPartial: read.length > MOST };
}
