export {
  addressesOf,
  host,
  neededPorts,
  services,
  type Addresses,
  type Instances,
  type NeededPort,
} from './addresses';
export { crashServiceOf } from './crash-point';
export { natsProgram, type Program } from './nats';
export {
  appMain,
  planProcesses,
  type ProcessPlan,
  type Sign,
  type StackLayout,
  type Variables,
} from './plan';
