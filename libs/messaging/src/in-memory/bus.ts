/** One process's bus to the broker in memory. */
import {
  cancelSubject,
  noticeSubject,
  type Cancel,
  type ControlNotice,
  type Notice,
  type Wake,
} from '@writ/contracts';
import type { ConsumeOptions, Consumption, Log, PublishOutcome } from '@writ/runtime';
import { encodeHint, encodeWake, parseCancel, parseNotice } from '../codec';
import { createCounting } from '../counters';
import { createHintChannel } from '../hint-channel';
import type { ObservedBus } from '../observed-bus';
import { approveQueue, executeQueue, type CommandQueue } from '../queues';
import { waitAtMost } from '../waiting';
import { isCancel, isNotice, type BrokerSide } from './broker-side';
import type { Consumer } from './stored-commands';

export function createInMemoryBus(broker: BrokerSide, log: Log): ObservedBus {
  const { clock, limits, faults } = broker;
  const counting = createCounting();
  const consumptions = new Set<Consumption>();
  let open = true;

  const firstWanted = () => undefined;
  const notices = createHintChannel({ kind: 'notice', parse: parseNotice, log, counting, firstWanted });
  const cancels = createHintChannel({ kind: 'cancel', parse: parseCancel, log, counting, firstWanted });
  const deafen = broker.hear((subject, bytes) => {
    if (isNotice(subject) && notices.wanted()) notices.deliver(bytes);
    if (isCancel(subject) && cancels.wanted()) cancels.deliver(bytes);
  });
  const connected = () => open && broker.up();

  async function publish({ subject }: CommandQueue, wake: Wake): Promise<PublishOutcome> {
    const bytes = encodeWake(wake);
    if (bytes === undefined) log.error('wake_too_large', { callId: wake.callId });
    let told: PublishOutcome = 'unknown';
    if (bytes !== undefined && connected()) {
      const fate = faults.command(subject);
      for (let copy = 0; copy < fate.copies; copy += 1) void arrive(subject, bytes, fate.delayMs);
      told = fate.told;
      if (told === 'unknown') await clock.sleep(limits.publishDeadlineMs);
    }
    counting.add(told);
    return told;
  }

  async function arrive(subject: string, bytes: Uint8Array, delayMs: number): Promise<void> {
    if (delayMs > 0) await clock.sleep(delayMs);
    broker.publishBytes(subject, bytes);
  }

  function send(subject: string, hint: Notice | ControlNotice | Cancel): void {
    const bytes = encodeHint(hint);
    if (bytes === undefined || !connected()) {
      counting.add('droppedHints');
      return;
    }
    const fate = faults.hint(subject);
    for (let copy = 0; copy < fate.copies; copy += 1) void arrive(subject, bytes, fate.delayMs);
  }

  function consume({ subject }: CommandQueue, options: ConsumeOptions): Consumption {
    const underWay = new Set<Promise<void>>();
    const consumer: Consumer = { options, underWay, log, counting, limits, heard: () => open };
    const leave = broker.commands(subject).join(consumer);
    const consumption: Consumption = {
      async drain(timeoutMs) {
        leave();
        await waitAtMost(clock, timeoutMs, Promise.all(underWay));
      },
    };
    consumptions.add(consumption);
    return consumption;
  }

  return {
    wakeExecutor: (pool, wake) => publish(executeQueue(pool), wake),
    wakeApprovals: (wake) => publish(approveQueue, wake),
    consumeExecute: (pool, options) => consume(executeQueue(pool), options),
    consumeApprovals: (options) => consume(approveQueue, options),
    notice: (notice) => send(noticeSubject(notice.sessionId), notice),
    cancel: (cancel) => send(cancelSubject(cancel.callId), cancel),
    onNotice: (listener) => notices.listen(listener),
    onCancel: (listener) => cancels.listen(listener),
    connected,
    counters: () => counting.read(),
    async close() {
      open = false;
      deafen();
      await Promise.all([...consumptions].map((consumption) => consumption.drain(0)));
    },
  };
}
