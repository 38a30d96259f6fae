import type { Budgets } from '@writ/contracts';
import type { CompiledPolicy, ToolsetConfig } from '@writ/protocol';
import type { CallWriterPorts } from '../call/call-writer';
import type { ToolCatalog } from '../catalog/tool-catalog';
import type { LeaseKeeper } from '../lease/lease-keeper';
import type { LeaseWatch } from '../lease/lease-watch';
import type { Bus, Model } from '../ports';
import type { SchemaValidation } from '../schema-validation';

export interface SessionPorts extends CallWriterPorts {
  readonly bus: Bus;
  readonly model: Model;
  readonly lease: LeaseKeeper;
  readonly watch: LeaseWatch;
  readonly catalog: ToolCatalog;
}

/** What is in force for the sessions of one orchestrator: configuration, compiled once. */
export interface SessionRules {
  readonly toolsets: ToolsetConfig;
  readonly policy: CompiledPolicy;
  readonly policyDigest: string;
  readonly budgets: Budgets;
  readonly model: { readonly tries: number; readonly timeoutMs: number; readonly instructions?: string };
  readonly validation: SchemaValidation;
  readonly commitGraceMs: number;
  readonly unclaimedMs: number;
}
