import { type IGossipServer, GossipService } from '@eventstore/db-client/generated/gossip_grpc_pb';
import {
  type IServerFeaturesServer,
  ServerFeaturesService,
} from '@eventstore/db-client/generated/serverfeatures_grpc_pb';
import { type IStreamsServer, StreamsService } from '@eventstore/db-client/generated/streams_grpc_pb';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import { MAX_RECEIVE_BYTES, MAX_STREAMS_PER_CONNECTION } from '../limits';
import { handleAppend } from './append';
import { handleBatchAppend } from './batch-append';
import type { CallContext, OpenCall } from './call-context';
import { Connections } from './connections';
import { handleDelete, handleTombstone } from './delete';
import { stopping } from './errors';
import { supportedMethods } from './features';
import { clusterInfo } from './gossip';
import { handleRead } from './read';

export interface GrpcServerOptions {
  host: string;
  port: number;
  /** 16 bytes that name this node in gossip. */
  instanceId: Buffer;
  context: Omit<CallContext, 'track' | 'guard' | 'disconnect'>;
}

/** Addresses that a server can listen on but a client cannot dial. */
const ANY_ADDRESS = new Set(['0.0.0.0', '::']);

/** The EventStoreDB protocol on one port, in clear text. */
export class GrpcServer {
  private readonly calls = new Set<OpenCall>();

  private constructor(
    private readonly server: Server,
    private readonly connections: Connections,
  ) {}

  static async listen(options: GrpcServerOptions): Promise<GrpcServer> {
    const server = new Server({
      'grpc.max_receive_message_length': MAX_RECEIVE_BYTES,
      'grpc.max_send_message_length': -1,
      'grpc.max_concurrent_streams': MAX_STREAMS_PER_CONNECTION,
    });
    const injector = server.createConnectionInjector(ServerCredentials.createInsecure());
    const connections = await Connections.listen({
      host: options.host,
      port: options.port,
      accept: (socket) => injector.injectConnection(socket),
    });
    const grpcServer = new GrpcServer(server, connections);
    grpcServer.addServices(options);
    return grpcServer;
  }

  get port(): number {
    return this.connections.port;
  }

  stopAccepting(): void {
    this.connections.stopAccepting();
  }

  /** Ends all lasting calls with an error (an orderly end would look like a complete answer), then the connections. */
  async stop(graceMs: number): Promise<void> {
    for (const call of this.calls) call.fail(stopping());
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, graceMs);
      this.server.tryShutdown(() => {
        clearTimeout(timer);
        resolve();
      });
    });
    this.server.forceShutdown();
    this.connections.cutAll();
  }

  private addServices(options: GrpcServerOptions): void {
    const context: CallContext = {
      ...options.context,
      track: (call) => {
        this.calls.add(call);
        call.onClose(() => this.calls.delete(call));
      },
      guard: (work, crash) => {
        try {
          work();
        } catch (error) {
          options.context.report(error);
          crash();
        }
      },
      disconnect: (peer) => this.connections.cut(peer),
    };
    this.server.addService(StreamsService, streamsHandlers(context));
    const features: IServerFeaturesServer = {
      getSupportedMethods: (_call, callback) => callback(null, supportedMethods()),
    };
    this.server.addService(ServerFeaturesService, features);
    const gossip: IGossipServer = {
      read: (_call, callback) => {
        const { instanceId } = options;
        const host = ANY_ADDRESS.has(options.host) ? '127.0.0.1' : options.host;
        callback(null, clusterInfo({ host, instanceId, port: this.port, nowMs: context.now() }));
      },
    };
    this.server.addService(GossipService, gossip);
  }
}

function streamsHandlers(context: CallContext): IStreamsServer {
  return {
    batchAppend: (call) => handleBatchAppend(call, context),
    append: (call, callback) => handleAppend(call, callback, context),
    read: (call) => handleRead(call, context),
    delete: (call, callback) => void handleDelete(call, callback, context),
    tombstone: (call, callback) => void handleTombstone(call, callback, context),
  };
}
