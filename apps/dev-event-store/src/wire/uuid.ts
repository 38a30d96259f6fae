import { UUID } from '@eventstore/db-client/generated/shared_pb';

const HEX = /^[0-9a-f]{32}$/i;

/** The 16 bytes of an id on the wire, or undefined if it is absent or malformed. */
export function uuidBytes(uuid: UUID | undefined): Buffer | undefined {
  const structured = uuid?.getStructured();
  if (structured !== undefined) {
    const bytes = Buffer.allocUnsafe(16);
    bytes.writeBigInt64BE(BigInt(structured.getMostSignificantBits()), 0);
    bytes.writeBigInt64BE(BigInt(structured.getLeastSignificantBits()), 8);
    return bytes;
  }
  const hex = uuid?.getString().replaceAll('-', '') ?? '';
  return HEX.test(hex) ? Buffer.from(hex, 'hex') : undefined;
}

export function uuidText(bytes: Buffer): string {
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** An id for the wire, in the form that the reader asked for. */
export function uuidMessage(bytes: Buffer, structured: boolean): UUID {
  const uuid = new UUID();
  if (!structured) return uuid.setString(uuidText(bytes));
  const parts = new UUID.Structured();
  parts.setMostSignificantBits(bytes.readBigInt64BE(0).toString());
  parts.setLeastSignificantBits(bytes.readBigInt64BE(8).toString());
  return uuid.setStructured(parts);
}
