import type { UUID } from '@eventstore/db-client/generated/shared_pb';

const HALF_BITS = 64;
const HALF_DIGITS = 16;

/** The text of a UUID, which servers send as text or as two signed 64-bit halves; undefined where there is none. */
export function uuidText(uuid: UUID | undefined): string | undefined {
  if (uuid?.hasString() === true) return uuid.getString().toLowerCase();
  const halves = uuid?.getStructured();
  if (halves === undefined) return undefined;
  const hex = [halves.getMostSignificantBits(), halves.getLeastSignificantBits()]
    .map((half) => BigInt.asUintN(HALF_BITS, BigInt(half)).toString(16).padStart(HALF_DIGITS, '0'))
    .join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
