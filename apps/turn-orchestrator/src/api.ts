/** The orchestrator's HTTP interface for `/openapi.json`, made of the schemas that it parses with. */
import {
  canonicalTranscriptSchema,
  openSessionRequestSchema,
  openSessionResponseSchema,
  sessionListSchema,
  startTurnRequestSchema,
  startTurnResponseSchema,
  toolTableSchema,
  turnSchema,
} from '@writ/contracts';
import { openapi, softwareVersion } from '@writ/service';
import { listQuerySchema, startQuerySchema, transcriptQuerySchema } from './http/queries';

const session = '/v1/sessions/{id}';

export const orchestratorApi = openapi({
  title: 'Writ turn-orchestrator',
  version: softwareVersion,
  routes: [
    {
      method: 'post',
      path: '/v1/sessions',
      summary: 'Opens a session.',
      body: openSessionRequestSchema,
      responses: { 201: { description: 'On record.', schema: openSessionResponseSchema } },
    },
    {
      method: 'get',
      path: '/v1/sessions',
      summary: 'Sessions, newest first.',
      query: listQuerySchema,
      responses: { 200: { description: 'A page.', schema: sessionListSchema } },
    },
    {
      method: 'post',
      path: `${session}/turns`,
      summary: 'Starts a turn; with wait=true answers its end.',
      query: startQuerySchema,
      body: startTurnRequestSchema,
      responses: {
        200: { description: 'The ended turn.', schema: turnSchema },
        202: { description: 'On record.', schema: startTurnResponseSchema },
      },
    },
    {
      method: 'get',
      path: `${session}/turns/{turnId}`,
      summary: 'One turn.',
      responses: { 200: { description: 'As it is on record.', schema: turnSchema } },
    },
    {
      method: 'post',
      path: `${session}/interrupt`,
      summary: 'Asks the turn that runs to stop.',
      responses: { 202: { description: 'On record.' } },
    },
    {
      method: 'get',
      path: `${session}/transcript`,
      summary: 'The transcript as a fold over committed events.',
      query: transcriptQuerySchema,
      responses: { 200: { description: 'In the format asked for.', schema: canonicalTranscriptSchema } },
    },
    {
      method: 'get',
      path: `${session}/events`,
      summary: 'Committed events as server-sent events; Last-Event-ID resumes.',
      responses: { 200: { description: 'text/event-stream' } },
    },
    {
      method: 'get',
      path: `${session}/tools`,
      summary: 'The tool table, with a reason for every known tool.',
      responses: { 200: { description: 'The table.', schema: toolTableSchema } },
    },
  ],
});
