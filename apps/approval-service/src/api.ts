import {
  approvalListSchema,
  decisionRequestSchema,
  decisionResponseSchema,
  inDoubtListSchema,
  resolutionRequestSchema,
  resolutionResponseSchema,
} from '@writ/contracts';
import { openapi, softwareVersion } from '@writ/service';
import { approvalsQuerySchema, pageQuerySchema } from './queries';

export const approvalsApi = openapi({
  title: 'Writ approval-service',
  version: softwareVersion,
  routes: [
    {
      method: 'get',
      path: '/v1/approvals',
      summary: 'Calls that wait for a person.',
      query: approvalsQuerySchema,
      responses: { 200: { description: 'A page, oldest first.', schema: approvalListSchema } },
    },
    {
      method: 'post',
      path: '/v1/approvals/{callId}/decision',
      summary: 'Grants or denies one call.',
      body: decisionRequestSchema,
      responses: { 200: { description: 'On record.', schema: decisionResponseSchema } },
    },
    {
      method: 'get',
      path: '/v1/in-doubt',
      summary: 'Calls whose effect is in doubt.',
      query: pageQuerySchema,
      responses: { 200: { description: 'A page, oldest first.', schema: inDoubtListSchema } },
    },
    {
      method: 'post',
      path: '/v1/in-doubt/{callId}/resolution',
      summary: "A person's word on one held call: what came of it, and whether it is to run again.",
      body: resolutionRequestSchema,
      responses: { 200: { description: 'On record.', schema: resolutionResponseSchema } },
    },
  ],
});
