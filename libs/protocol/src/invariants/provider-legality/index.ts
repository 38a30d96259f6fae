/** Whether a rendered transcript would be taken by a provider (A8). Shares nothing with the renderers. */
export { checkAnthropicMessages } from './anthropic';
export { askedIds } from './asked-ids';
export { checkOpenaiMessages } from './openai';
