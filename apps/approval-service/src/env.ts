import { serviceEnv } from '@writ/service';
import { z } from 'zod';

export const approvalEnv = serviceEnv('approval-service', {
  /** Where projections keep their files; without it they live in memory and are rebuilt at each start. */
  WRIT_STATE_DIR: z.string().optional().describe('the path of a folder'),
});
