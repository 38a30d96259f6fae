export { openaiModel, type OpenaiModelOptions } from './openai-model';
export { readReply } from './reply';
