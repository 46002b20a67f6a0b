import { Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { Command, Query } from '@app/kernel';

/** The one way from a transport to a use case. REST, GraphQL, MCP, NATS and CLI send the same message objects through it. */
@Injectable()
export class Bus {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  send = <Result>(command: Command<Result>): Promise<Result> => this.commands.execute(command as object);
  ask = <Result>(query: Query<Result>): Promise<Result> => this.queries.execute(query as object);
}
