export { explainListenError, listenOrExit, type Address } from './listen';
export { openapi, type ApiDescription, type Route } from './openapi';
export { probes, type HttpHandler, type ProbeSources, type Probes } from './probes';
export { problem, sendProblem, type ProblemMembers } from './problem';
export { ProblemError, problemOf, readRequest } from './request';
