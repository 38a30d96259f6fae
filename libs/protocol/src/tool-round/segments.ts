import type { Concurrency, Json } from '@writ/contracts';
import { normalisePath } from '../policy';
import { textOf, valueAt } from './pointer';

/** A call that may run, as far as cutting a round cares. */
export interface RunnableCall {
  readonly concurrency: Concurrency;
  readonly args: { readonly [key: string]: Json };
}

/**
 * The segment of each call, from 0 on, never falling (R12): a segment is a contiguous run of the model's order whose
 * calls may run together. Values that one call writes and another reads or writes part them; readers share. The name of
 * the tool does not matter: an account is the same account in two tools.
 */
export function cutSegments(calls: readonly RunnableCall[]): readonly number[] {
  const segments: number[] = [];
  let current = 0;
  let held: Footprint | undefined;
  for (const call of calls) {
    const footprint = footprintOf(call);
    const joined = held === undefined ? footprint : join(held, footprint);
    if (joined === undefined) current += 1;
    held = joined ?? footprint;
    segments.push(current);
  }
  return segments;
}

interface Touched {
  readonly reads: ReadonlySet<string>;
  readonly writes: ReadonlySet<string>;
}
type Footprint = Touched | 'alone';
const nothing: Touched = { reads: new Set(), writes: new Set() };

const meets = (left: ReadonlySet<string>, right: ReadonlySet<string>): boolean =>
  [...left].some((key) => right.has(key));

const collide = (left: Touched, right: Touched): boolean =>
  meets(left.writes, right.writes) || meets(left.writes, right.reads) || meets(left.reads, right.writes);

/** What both touch together, or undefined where they may not run together. */
function join(left: Footprint, right: Footprint): Footprint | undefined {
  if (left === 'alone' || right === 'alone' || collide(left, right)) return undefined;
  return {
    reads: new Set([...left.reads, ...right.reads]),
    writes: new Set([...left.writes, ...right.writes]),
  };
}

/** A pointer that finds nothing says nothing about what the call touches, so the call runs alone. */
function footprintOf({ concurrency, args }: RunnableCall): Footprint {
  if (concurrency === 'exclusive') return 'alone';
  if (concurrency === 'parallel') return nothing;
  const reads = (concurrency.reads ?? []).map((resource) => keysOf(resource, args));
  const writes = (concurrency.writes ?? []).map((resource) => keysOf(resource, args));
  const isKnown = (keys: readonly string[] | undefined): keys is readonly string[] => keys !== undefined;
  if (!reads.every(isKnown) || !writes.every(isKnown)) return 'alone';
  return { reads: new Set(reads.flat()), writes: new Set(writes.flat()) };
}

type Resource = string | { path: string };

/** A path counts as its plain value too, so that it also meets a tool that declares the same argument without `path`. */
function keysOf(resource: Resource, args: RunnableCall['args']): readonly string[] | undefined {
  const value = valueAt(args, typeof resource === 'string' ? resource : resource.path);
  if (value === undefined) return undefined;
  if (typeof resource === 'string') return [textOf(value)];
  return typeof value === 'string' ? [textOf(value), textOf(samePlace(value))] : undefined;
}

/** Case folds, since two spellings may be one file; a needless segment only costs time. */
const samePlace = (path: string): string =>
  normalisePath(path)
    .replace(/(?<=.)\/$/, '')
    .normalize('NFC')
    .toLowerCase();
