import { revokedAccessSchema } from '@gatehouse/contract';
import type { RevokedAccess } from '@gatehouse/sdk';
import { keysOf } from '../api/keys-of.ts';
import { Figures } from './figures.tsx';

/** What has ended, by kind, with the contract's sentence of each. */
export function Receipt({ revoked }: { revoked: RevokedAccess }) {
  const { shape } = revokedAccessSchema;
  return (
    <Figures
      lines={keysOf(shape).map((kind) => [shape[kind].description ?? kind, revoked[kind]])}
    />
  );
}
