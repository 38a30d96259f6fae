import { sessionStream, type OpenSessionRequest } from '@writ/contracts';
import { checkSessionScope, toolsetsInForce, toolsetsOnRecord } from '@writ/protocol';
import { appendSealed } from '../journal/append';
import { seal, type SealContext } from '../journal/seal';
import { refused, type Refused } from './refused';
import type { SessionPorts, SessionRules } from './session-ports';

const defaultPlatform = 'api';

/** Puts a new session on record with what is in force for it (protocol 2, `SessionOpened`). */
export async function openSession(
  ports: SessionPorts,
  rules: SessionRules,
  given: { readonly request: OpenSessionRequest; readonly context: Omit<SealContext, 'correlationId'> },
): Promise<{ readonly sessionId: string } | Refused> {
  const { request } = given;
  const scope = {
    platform: request.platform ?? defaultPlatform,
    ...(request.toolsets === undefined ? {} : { toolsets: request.toolsets }),
    disabledToolsets: request.disabledToolsets ?? [],
  };
  const [problem] = checkSessionScope(rules.toolsets, scope);
  if (problem !== undefined)
    return refused('invalid_request', problem.message, { field: problem.path.join('.') });
  const toolsets = [...toolsetsInForce(rules.toolsets, scope)];
  const sessionId = `ses_${ports.entropy.uuid().replaceAll('-', '')}`;
  const instructions = [rules.model.instructions, request.instructions]
    .filter((text) => text !== undefined)
    .join('\n\n');
  const data = {
    sessionId,
    tenant: 'default',
    platform: scope.platform,
    toolsets,
    disabledToolsets: scope.disabledToolsets,
    toolsetConfig: toolsetsOnRecord(rules.toolsets, { ...scope, toolsets }),
    ...(instructions === '' ? {} : { instructions }),
    ...(request.metadata === undefined ? {} : { metadata: request.metadata }),
    policyDigest: rules.policyDigest,
    openedBy: 'unauthenticated',
  };
  const head = { stream: sessionStream(sessionId), revision: 'no_stream' as const, lastDigest: null };
  const context = { ...given.context, correlationId: sessionId };
  const sealed = seal(ports, head, { drafts: [{ type: 'SessionOpened', data }], context });
  const outcome = await appendSealed(ports.store, sealed);
  if (outcome.outcome === 'acknowledged') return { sessionId };
  if (outcome.outcome === 'refused')
    return refused('invalid_request', 'the session is larger than one append of the store may be');
  return refused('store_unavailable', 'the session could not be put on record');
}
