/** A field of a message: its number, and its value as it is on the wire. */
export type Field = readonly [number: number, value: bigint | Buffer];

/** The fields of a message (protobuf.dev, "Encoding"). @throws RangeError when the bytes end too early */
export function fieldsOf(bytes: Buffer): Field[] {
  const fields: Field[] = [];
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes.readUInt8(at);
      at += 1;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  const take = (length: number): Buffer => {
    at += length;
    return bytes.subarray(at - length, at);
  };
  while (at < bytes.length) {
    const key = Number(varint());
    const [number, type] = [key >> 3, key & 7];
    if (type === 0) fields.push([number, varint()]);
    else if (type === 1) fields.push([number, take(8).readBigUInt64LE()]);
    else if (type === 2) fields.push([number, take(Number(varint()))]);
    else if (type === 5) fields.push([number, BigInt(take(4).readUInt32LE())]);
    else throw new Error(`Wire type ${type} is not read.`);
  }
  return fields;
}

/** The messages in a field. */
export function messages(fields: readonly Field[], number: number): Field[][] {
  return fields.flatMap(([field, value]) =>
    field === number && Buffer.isBuffer(value) ? [fieldsOf(value)] : [],
  );
}

/** Empty when the field is not there, as protobuf has it. */
export function textOf(
  fields: readonly Field[],
  number: number,
  encoding: BufferEncoding = 'utf8',
): string {
  const value = fields.find(([field]) => field === number)?.[1];
  return Buffer.isBuffer(value) ? value.toString(encoding) : '';
}

/** 0 when the field is not there, as protobuf has it. */
export function numberOf(fields: readonly Field[], number: number): number {
  const value = fields.find(([field]) => field === number)?.[1];
  return typeof value === 'bigint' ? Number(value) : 0;
}
