/** How a process is brought to its kill point, to die or to stand there. */
export { reach } from './reach';
export type { Reached, Standpoint, Ways } from './reached';
