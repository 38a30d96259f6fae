import { streamPrefixes, workStateSchema, type WorkState } from '@writ/contracts';
import { emptyWork, foldWork } from '@writ/protocol';
import { ProjectionRunner, type ProjectionOptions } from './projection-runner';

/** Raised when the fold or the shape of its state changes; older files are then rebuilt. */
const version = 3;

/**
 * Sessions, open work, what waits for a person and what is in doubt, kept from the log. Control streams change nothing
 * in it; they are followed for `onChange`.
 */
export const workProjection = (
  edge: Pick<ProjectionOptions<WorkState>, 'store' | 'clock' | 'log' | 'file' | 'onChange'>,
): ProjectionRunner<WorkState> =>
  new ProjectionRunner({
    ...edge,
    name: 'work',
    version,
    prefixes: [streamPrefixes.session, streamPrefixes.call, streamPrefixes.lease, streamPrefixes.control],
    initial: emptyWork(),
    stateSchema: workStateSchema,
    apply: foldWork,
  });
