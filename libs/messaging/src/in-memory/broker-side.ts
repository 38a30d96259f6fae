import { approveSubject, cancelSubject, executeSubject, noticeSubject } from '@writ/contracts';
import type { Clock } from '@writ/runtime';
import type { BusLimits } from '../limits';
import type { BrokerFaults } from './faults';
import type { StoredCommands } from './stored-commands';

/** What a bus needs of its broker. */
export interface BrokerSide {
  readonly clock: Clock;
  readonly faults: BrokerFaults;
  readonly limits: BusLimits;
  up(): boolean;
  commands(subject: string): StoredCommands;
  publishBytes(subject: string, bytes: Uint8Array): void;
  /** Returns the way to stop hearing. */
  hear(hearing: (subject: string, bytes: Uint8Array) => void): () => void;
}

export const isCommand = (subject: string): boolean =>
  subject === approveSubject || subject.startsWith(executeSubject(''));

export const isNotice = (subject: string): boolean => subject.startsWith(noticeSubject(''));
export const isCancel = (subject: string): boolean => subject.startsWith(cancelSubject(''));
