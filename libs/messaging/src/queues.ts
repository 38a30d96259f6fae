/** The two kinds of work queue, and the durable consumers that share them. */
import { approveSubject, executeSubject } from '@writ/contracts';

export interface CommandQueue {
  readonly subject: string;
  readonly durable: string;
}

export const executeQueue = (pool: string): CommandQueue => ({
  subject: executeSubject(pool),
  durable: `execute-${pool}`,
});
export const approveQueue: CommandQueue = { subject: approveSubject, durable: 'approve' };
