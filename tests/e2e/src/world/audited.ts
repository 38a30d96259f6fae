import { verify } from '@writ/audit';
import type { AuditReport } from '@writ/contracts';
import { connectEventStore } from '@writ/event-store';
import { systemClock, systemEntropy } from '@writ/service';

/** The auditor's word over everything that is on record, read from the store alone. */
export async function audited(url: string): Promise<AuditReport> {
  const store = connectEventStore({
    url,
    appendTimeoutMs: 5_000,
    resolveMs: 5_000,
    clock: systemClock,
    entropy: systemEntropy,
  });
  try {
    const verification = await verify(store);
    if (verification.outcome !== 'verified')
      throw new Error(`the record could not be read: ${verification.outcome}`);
    return verification.report;
  } finally {
    await store.close();
  }
}
