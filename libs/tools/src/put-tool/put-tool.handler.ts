import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Executor } from '@app/event-store';
import { governance, toolOf } from '@app/governance/contract';
import { schemaProblem } from '@app/json-schema';
import { missing, type Outcome } from '@app/kernel';
import { toolView, type ToolView } from '../tool-list/tool.view';
import { PutTool, type PutToolBody } from './put-tool.command';
import { putTool } from './put-tool.decide';

@CommandHandler(PutTool)
export class PutToolHandler implements ICommandHandler<PutTool> {
  constructor(private readonly executor: Executor) {}

  async execute({ name, body, context }: PutTool): Promise<Outcome<ToolView>> {
    const problems = schemaProblemsOf(body);
    const refs = { governance: { aggregate: governance, id: context.siteId } };
    const done = await this.executor.execute(refs, context, ({ governance: state }) => putTool(state, name, body, problems, context.actor.id));
    if (!done.ok) return done;
    const tool = toolOf(done.states.governance, name);
    return tool ? { ok: true, data: toolView(tool), position: done.position } : missing();
  }
}

const schemaProblemsOf = ({ inputSchema, outputSchema }: PutToolBody) =>
  Object.entries({ inputSchema, outputSchema }).flatMap(([key, schema]) => {
    const detail = schema && schemaProblem(schema);
    return detail === undefined ? [] : [{ pointer: `/${key}`, detail }];
  });
