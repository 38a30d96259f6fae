import { readFileSync } from 'node:fs';
import { schemaValidation, type SessionRules } from '@writ/runtime';
import { loadWritConfig } from './config';
import type { OrchestratorEnv } from './env';

export type LoadedRules =
  | { readonly ok: true; readonly rules: SessionRules }
  | { readonly ok: false; readonly problems: readonly string[] };

/** What is in force for this orchestrator's sessions, from `writ.config.yaml` and the environment. */
export function loadRules(env: OrchestratorEnv): LoadedRules {
  let text: string;
  try {
    text = readFileSync(env.WRIT_CONFIG, 'utf8');
  } catch {
    return {
      ok: false,
      problems: [
        `WRIT_CONFIG: ${env.WRIT_CONFIG} cannot be read; name a file of toolsets, platforms and policy`,
      ],
    };
  }
  const loaded = loadWritConfig(text, env.WRIT_CONFIG);
  if (!loaded.ok) return loaded;
  const { toolsets, policy, policyDigest, budgets, model } = loaded.config;
  const { tries, timeoutMs, instructions } = model;
  return {
    ok: true,
    rules: {
      toolsets,
      policy,
      policyDigest,
      budgets,
      model: { tries, timeoutMs, ...(instructions === undefined ? {} : { instructions }) },
      validation: schemaValidation(),
      commitGraceMs: env.WRIT_COMMIT_GRACE_MS,
      unclaimedMs: env.WRIT_UNCLAIMED_MS,
    },
  };
}
