/** Of the software, as `InstanceStarted` and `/openapi.json` say it; kept equal to the root manifest by its spec. */
export const softwareVersion = '0.1.0';
