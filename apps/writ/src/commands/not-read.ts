import { exitCodes, type ExitCode } from '../exit-codes';
import type { Out } from '../print/out';

type NotRead =
  | { readonly outcome: 'not_found' }
  | { readonly outcome: 'unavailable' }
  | { readonly outcome: 'damaged'; readonly problem: string };

/** Says why something could not be read, and what that is to a program. A record that does not parse is a finding. */
export function notRead(out: Out, why: NotRead, what: string): ExitCode {
  switch (why.outcome) {
    case 'not_found':
      out.complain(`there is no ${what}`);
      return exitCodes.wrongUsage;
    case 'damaged':
      out.complain(`the record cannot be read: ${why.problem}`);
      return exitCodes.finding;
    case 'unavailable':
      return exitCodes.cannotReach;
  }
}
