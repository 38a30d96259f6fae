import { file, httpUrl, milliseconds, secret, serviceEnv } from '@writ/service';
import { z } from 'zod';

export const orchestratorEnv = serviceEnv('turn-orchestrator', {
  WRIT_CONFIG: file('writ.config.yaml'),
  WRIT_COMMIT_GRACE_MS: milliseconds({ default: 5_000, min: 100, max: 600_000 }),
  WRIT_UNCLAIMED_MS: milliseconds({ default: 60_000, min: 100, max: 86_400_000 }),
  /** Where projections keep their files; without it they live in memory and are rebuilt at each start. */
  WRIT_STATE_DIR: z.string().optional().describe('the path of a folder'),
  OPENAI_BASE_URL: httpUrl(),
  OPENAI_API_KEY: secret(),
  WRIT_MODEL: z.string().optional().describe('the name of a model'),
  WRIT_MODEL_SCRIPT: z.string().optional().describe('the path of a file of scripted replies'),
});
export type OrchestratorEnv = z.output<typeof orchestratorEnv>;
