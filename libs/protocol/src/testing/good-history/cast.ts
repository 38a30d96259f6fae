/** Who and what the good history is about: instances, their leases, the tools they publish. */
import type { Actor, EventData } from '@writ/contracts';
import * as facts from '../facts';
import { draft, type Draft } from '../log';

export const s1 = 'session-s1';
export const { owner, executor, desk } = facts;
export const e2 = 'tool-executor.e2#0';
export const e2again = 'tool-executor.e2#1';
export const owner2 = 'turn-orchestrator.o2#0';
export const e1Lease = 'lease-tool-executor.e1.0';
export const e2Lease = 'lease-tool-executor.e2.0';
export const o1Lease = 'lease-turn-orchestrator.o1.0';

export const definitions = { write: facts.digest('e'), transfer: facts.digest('2'), mail: facts.digest('3') };
export const by = (epoch: number): Actor => facts.byOwner(epoch);
export const byHeir = (epoch: number): Actor => ({ service: 'turn-orchestrator', instance: owner2, epoch });
export const results = (
  ...refs: readonly (readonly [string, number, string?])[]
): EventData<'AssistantMessageRecorded'>['results'] =>
  refs.map(([callId, revision, stream]) => ({
    callId,
    stream: stream ?? `toolcall-${callId}`,
    revision,
    digest: facts.digest('f'),
  }));

export const started = (
  service: Actor['service'] & EventData<'InstanceStarted'>['service'],
  name: string,
  pid: number,
): Draft =>
  draft(`instance-${service}.${name}`, 'InstanceStarted', {
    service,
    name,
    version: '0.1.0',
    host: { name: 'host-1', bootId: 'boot-1' },
    pid,
    sockets: {
      process: `${name}.sock`,
      ...(service === 'tool-executor' ? { toolHost: `${name}.tools.sock` } : {}),
    },
    ...(service === 'tool-executor' ? { pool: 'default', slots: 8 } : {}),
  });

export const published = (
  name: string,
  definitionDigest: string,
  effectClass: 'idempotent' | 'reconcilable' | 'irreversible',
): EventData<'ToolManifestPublished'>['tools'][number] => ({
  name,
  description: `Does ${name}.`,
  inputSchema: { type: 'object' },
  effectClass,
  concurrency: effectClass === 'idempotent' ? { reads: ['/path'], writes: [{ path: '/path' }] } : 'exclusive',
  timeoutMs: 60_000,
  fenced: false,
  delegate: false,
  version: '1',
  definitionDigest,
  hasReadback: effectClass === 'reconcilable',
  hasCheck: false,
});

export const instances: readonly Draft[] = [
  started('turn-orchestrator', 'o1', 11),
  started('tool-executor', 'e1', 12),
  started('tool-executor', 'e2', 13),
  started('approval-service', 'a1', 14),
  draft('toolcatalog-default', 'ToolManifestPublished', {
    pool: 'default',
    digest: facts.digest('4'),
    tools: [
      published('write_file', definitions.write, 'idempotent'),
      published('transfer_funds', definitions.transfer, 'reconcilable'),
      published('send_mail', definitions.mail, 'irreversible'),
    ],
  }),
  draft(o1Lease, 'LeaseRenewed', { instance: owner, ttlMs: 5_000 }),
  draft(e1Lease, 'LeaseRenewed', { instance: executor, ttlMs: 5_000 }),
];

export const transfer = {
  tool: 'transfer_funds',
  nameSent: 'transfer_funds',
  definitionDigest: definitions.transfer,
  effectClass: 'reconcilable',
} as const;
export const mail = {
  tool: 'send_mail',
  nameSent: 'send_mail',
  definitionDigest: definitions.mail,
  effectClass: 'irreversible',
} as const;
