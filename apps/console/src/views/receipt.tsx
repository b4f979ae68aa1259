import { revokedAccessSchema } from '@gatehouse/contract';
import type { RevokedAccess } from '@gatehouse/sdk';
import { keysOf } from '../api/keys-of.ts';

/** What has ended, by kind, with the contract's sentence of each. */
export function Receipt({ revoked }: { revoked: RevokedAccess }) {
  const { shape } = revokedAccessSchema;
  return (
    <dl className="grid gap-1.5">
      {keysOf(shape).map((kind) => (
        <div key={kind} className="grid grid-cols-[48px_1fr] gap-3">
          <dt className="col-start-2 row-start-1">{shape[kind].description}</dt>
          <dd className="col-start-1 row-start-1 text-right font-semibold tabular-nums">
            {revoked[kind]}
          </dd>
        </div>
      ))}
    </dl>
  );
}
