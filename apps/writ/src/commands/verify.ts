import { verify } from '@writ/audit';
import type { Command } from '../context';
import { exitCodes } from '../exit-codes';
import { printReport } from '../print/report';
import { notRead } from './not-read';

/** Exit 1 where the record breaks a rule. */
export const verifyRecord =
  (sessionId: string | undefined): Command =>
  async ({ store, out, json, nowMs }) => {
    const verification = await verify(store, { sessionId });
    if (verification.outcome !== 'verified') return notRead(out, verification, `session ${sessionId}`);
    const { report } = verification;
    if (json) out.json(report);
    else printReport(out, report, nowMs);
    return report.ok ? exitCodes.good : exitCodes.finding;
  };
