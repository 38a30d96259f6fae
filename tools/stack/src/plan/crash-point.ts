import type { Service } from '@writ/contracts';
import { crashPointsOf } from '@writ/service';
import { services } from './addresses';

/** The service whose code passes the point that `WRIT_CRASH_AT` names; undefined: nobody's. */
export function crashServiceOf(crashAt: string): Service | undefined {
  const point = crashAt.split(':')[0];
  return services.find((service) => crashPointsOf[service].some((name) => name === point));
}
