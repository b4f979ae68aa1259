/** What a filled row is; stands in the id. */
export const kinds = {
  organization: 0,
  user: 1,
  integration: 2,
  application: 3,
  attachment: 4,
  token: 5,
  session: 6,
  connection: 7,
  secret: 8,
  idempotencyKey: 9,
  grant: 10,
  oauthToken: 11,
  consent: 12,
  signInLink: 13,
  browserSession: 14,
  connectLink: 15,
  connectAttempt: 16,
  upstreamRegistration: 17,
  upstreamRevocation: 18,
  group: 19,
  lease: 20,
  auditEvent: 21,
  auditBlock: 22,
  aggregateSession: 23,
} as const;

export type Kind = keyof typeof kinds;

const FIRST_MILLISECOND = 1_735_689_600_000n;
const VERSION_7 = 0x7000n;
const VARIANT = 0x8000_0000_0000_0000n;
const SPREAD = 2_654_435_761n;

/** The id of the `number`-th row of its kind: a UUIDv7 a second later than the one before. */
export function idOf(kind: Kind, number: number): string {
  const n = BigInt(number);
  const high = ((FIRST_MILLISECOND + n * 1000n) << 16n) | VERSION_7 | BigInt(kinds[kind]);
  const hex = [high, VARIANT + n * SPREAD].map((half) => half.toString(16).padStart(16, '0'));
  return hex.join('').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** {@link idOf} as a function of one database session: `pg_temp.id_of(kind, number)`. */
export const ID_OF = `
  CREATE FUNCTION pg_temp.id_of(kind int, number bigint) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
    SELECT encode(
      int8send(((${FIRST_MILLISECOND} + number * 1000) << 16) | ${VERSION_7} | kind)
        || int8send(${BigInt.asIntN(64, VARIANT)} + number * ${SPREAD}), 'hex')::uuid
  $$`;
