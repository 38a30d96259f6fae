export { openaiModel, type OpenaiModelOptions } from './openai-model';
