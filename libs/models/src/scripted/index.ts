export { readScript, type Script } from './script';
export { scriptedModel, type ScriptedModel } from './scripted-model';
