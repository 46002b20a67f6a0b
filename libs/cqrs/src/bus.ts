import { Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { Command, Query } from '@app/kernel';

/** Surrounds every message on its way to its handler; `handle` must be called once. */
export type Surrounding = <Result>(kind: 'command' | 'query', message: object, handle: () => Promise<Result>) => Promise<Result>;

/** The one way from a transport to a use case. REST, GraphQL, MCP, NATS and CLI send the same message objects through it. */
@Injectable()
export class Bus {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  private surrounding: Surrounding | undefined;

  /** Puts something around all messages from now on, such as the spans of a trace. */
  surround(surrounding: Surrounding): void {
    this.surrounding = surrounding;
  }

  send = <Result>(command: Command<Result>): Promise<Result> => this.passed('command', command, () => this.commands.execute(command as object));
  ask = <Result>(query: Query<Result>): Promise<Result> => this.passed('query', query, () => this.queries.execute(query as object));

  private passed<Result>(kind: 'command' | 'query', message: object, handle: () => Promise<Result>): Promise<Result> {
    return this.surrounding ? this.surrounding(kind, message, handle) : handle();
  }
}
