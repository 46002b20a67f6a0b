import { DecideApprovalBody, DecidedApprovalView } from '@app/approvals/contract';
import { CreatedGoal, CreateGoalBody } from '@app/goals';
import { asyncApi, type RpcDescription } from '@app/nats';
import { RequestToolCallBody, ToolCallAnswer } from '@app/tool-calls/contract';
import { workerRpc } from '@app/tool-worker';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { catalogue } from './composition';

/** Every command that is taken over NATS. */
export const NATS_COMMANDS: readonly RpcDescription[] = [
  { name: 'createGoal', summary: 'Creates a goal and its run', payload: CreateGoalBody, answer: CreatedGoal },
  { name: 'requestToolCall', summary: 'Asks for a tool call in a run', payload: RequestToolCallBody, ids: ['runId'], answer: ToolCallAnswer },
  { name: 'decideApproval', summary: 'Decides an approval', payload: DecideApprovalBody, ids: ['approvalId'], answer: DecidedApprovalView },
  ...workerRpc,
];

/** `/asyncapi.json`, beside the reference of the HTTP API and as public; made at the first request. It is the same whether this server has a broker or not. */
export const serveNatsReference = (app: NestFastifyApplication): void => {
  let document: string | undefined;
  app.getHttpAdapter().getInstance().get('/asyncapi.json', (_request, reply) =>
    reply.type('application/json; charset=utf-8').header('cache-control', 'no-cache').send((document ??= JSON.stringify(asyncApi({ catalogue, commands: NATS_COMMANDS, version: '0' })))),
  );
};
