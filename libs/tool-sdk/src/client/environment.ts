/** What a tool may not see of its executor's environment: Writ's own settings and the model's keys (interfaces.md). */
const kept = /^(?!WRIT_|OPENAI_|ANTHROPIC_)/;

export function toolEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => kept.test(name)));
}
