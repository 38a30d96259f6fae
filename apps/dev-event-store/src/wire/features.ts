import { SupportedMethod, SupportedMethods } from '@eventstore/db-client/generated/serverfeatures_pb';

/** The newest open-source server, whose behaviour this one copies. */
const SERVER_VERSION = '23.10.7';

const METHODS: Record<string, readonly string[]> = {
  'event_store.client.streams.streams': ['read', 'append', 'batchappend', 'delete', 'tombstone'],
  'event_store.client.gossip.gossip': ['read'],
  'event_store.client.server_features.serverfeatures': ['getsupportedmethods'],
};

/** The client appends in batches only if it finds `batchappend` here. */
export function supportedMethods(): SupportedMethods {
  const answer = new SupportedMethods();
  answer.setEventStoreServerVersion(SERVER_VERSION);
  for (const [service, methods] of Object.entries(METHODS)) {
    for (const method of methods) {
      answer.addMethods(new SupportedMethod().setServiceName(service).setMethodName(method));
    }
  }
  return answer;
}
