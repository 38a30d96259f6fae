import { callStream, type WritEvent } from '@writ/contracts';
import { protocolLimits } from '@writ/protocol';
import { stagedCalls, type Staged } from '../checkers/history';
import type { SeedRun } from '../run-seed';
import { toolsByName } from '../workload/tools';
import { count, type Coverage } from './table';

/** R9's branches, read from what each call's stream says after a takeover. */
export function addReconciliations(into: Coverage, { evidence, world }: SeedRun): void {
  const resolved = { answered: world.seen.get('doubt answered') ?? 0, onRecord: 0 };
  for (const [callId, staged] of stagedCalls(evidence.events)) {
    const events = evidence.ofStream(callStream(callId));
    resolved.onRecord += events.filter(({ type }) => type === 'DoubtResolved').length;
    if (!events.some(({ type }) => type === 'ToolExecutionTakenOver')) continue;
    for (const cell of new Reconciliation(staged).branchesOf(events)) count(into, `R9 ${cell}`);
  }
  // A word whose answer was lost is on record and was not heard: fewer repeats are counted than there were.
  count(into, 'R9 person: the same word again', Math.max(0, resolved.answered - resolved.onRecord));
  count(into, 'R9 person: too late or too early', world.seen.get('doubt refused: already_settled') ?? 0);
  count(into, 'R9 person: no rerun left', world.seen.get('doubt refused: invalid_request') ?? 0);
}

class Reconciliation {
  #epochs = 0;
  #isSilent = false;
  #hasStarted = false;
  #isDoubtful = false;
  #byOwner = false;
  #found: string | undefined;
  #ordered = false;

  constructor(private readonly staged: Staged) {}

  branchesOf(events: readonly WritEvent[]): readonly string[] {
    return events.flatMap((event) => this.#branches(event));
  }

  #branches(event: WritEvent): readonly string[] {
    switch (event.type) {
      case 'ToolExecutionTakenOver':
        this.#epochs += 1;
        this.#isSilent ||= this.#hasStarted && event.data.holder === 'silent';
        this.#isDoubtful = true;
        this.#byOwner = event.data.instance.startsWith('turn-orchestrator.');
        this.#found = this.#found === 'applied' ? 'applied' : undefined;
        return [];
      case 'ToolExecutionStarted':
        return this.#started();
      case 'ReadbackRecorded':
        this.#found = event.data.effect;
        return [];
      case 'DoubtHeld':
        this.#isDoubtful = false;
        return [...this.#doubt(), 'in doubt: held for a person'];
      case 'DoubtResolved': {
        const { effect, rerun } = event.data;
        this.#ordered = rerun;
        return [rerun ? 'person: not_applied, rerun ordered' : `person: ${effect}`];
      }
      case 'ToolResultCommitted':
        return this.#settled(event.data.outcome);
      default:
        return [];
    }
  }

  #started(): readonly string[] {
    this.#hasStarted = true;
    if (this.#ordered) {
      this.#ordered = false;
      this.#epochs += 1;
      return ['person: the rerun ran'];
    }
    if (!this.#isDoubtful) {
      this.#epochs += 1;
      return [];
    }
    this.#isDoubtful = false;
    const { effectClass, tool } = this.staged.data;
    if (effectClass !== 'reconcilable') return [`${effectClass ?? 'refused'}: run again`];
    const isFenced = tool !== null && toolsByName.get(tool)?.fenced === true;
    return [`reconcilable: not applied, ${isFenced ? 'fenced' : 'holder gone'}, run again`];
  }

  #settled(outcome: string): readonly string[] {
    if (!this.#isDoubtful || this.#byOwner) return [];
    this.#isDoubtful = false;
    const { effectClass } = this.staged.data;
    if (effectClass === 'read') return ['read: failed, no epoch left'];
    if (outcome === 'succeeded') return [`${effectClass ?? 'refused'}: applied, committed`];
    return [...this.#doubt(), 'in doubt: settled for the model'];
  }

  #doubt(): readonly string[] {
    const { effectClass } = this.staged.data;
    const isUsedUp = this.#epochs > protocolLimits.epochsPerCall;
    switch (effectClass) {
      case 'irreversible':
        return ['irreversible: in doubt'];
      case 'reconcilable':
        if (this.#found === 'unknown') return ['reconcilable: unknown, in doubt'];
        return [
          this.#isSilent
            ? 'reconcilable: not applied, holder silent, in doubt'
            : 'reconcilable: in doubt, no epoch left',
        ];
      default:
        return isUsedUp ? [`${effectClass ?? 'refused'}: in doubt, no epoch left`] : [];
    }
  }
}
