import { file, serviceEnv } from '@writ/service';

export const executorEnv = serviceEnv('tool-executor', { WRIT_TOOLS: file('writ.tools.yaml') });
