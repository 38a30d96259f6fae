import { verify } from '@writ/audit';
import type { AuditReport } from '@writ/contracts';
import { withStore } from './record';

/** The auditor's word over everything that is on record, read from the store alone. */
export function audited(url: string): Promise<AuditReport> {
  return withStore(url, async (store) => {
    const verification = await verify(store);
    if (verification.outcome !== 'verified')
      throw new Error(`the record could not be read: ${verification.outcome}`);
    return verification.report;
  });
}
