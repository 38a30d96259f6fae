import { ClusterInfo, EndPoint, MemberInfo } from '@eventstore/db-client/generated/gossip_pb';
import { uuidMessage } from './uuid';

export interface Member {
  /** 16 bytes. */
  instanceId: Buffer;
  host: string;
  port: number;
  nowMs: number;
}

/** A cluster of one node, which leads. */
export function clusterInfo(member: Member): ClusterInfo {
  const endPoint = new EndPoint().setAddress(member.host).setPort(member.port);
  const info = new MemberInfo();
  info.setInstanceId(uuidMessage(member.instanceId, false));
  info.setTimeStamp(`${member.nowMs}0000`);
  info.setState(MemberInfo.VNodeState.LEADER);
  info.setIsAlive(true);
  info.setHttpEndPoint(endPoint);
  return new ClusterInfo().setMembersList([info]);
}
