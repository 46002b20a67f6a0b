import { execute, type ExecutionResult, type GraphQLSchema } from 'graphql';
import type { EventStore } from '@app/event-store';
import { correlationIdOf, ProblemException, type Caller } from '@app/http';
import type { ReadModels } from '@app/projections';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ApiDocument } from './api/operations';
import { RestCalls } from './api/rest-calls';
import { carriedHeaders, type Session } from './context';
import type { GraphqlParams } from './http/graphql-params';
import { LIMITS, type Limits } from './limits/costs';
import { Documents } from './limits/documents';
import { refusal } from './problems';
import { RecordLoader } from './records/record-loader';
import { buildSchema, type GraphqlDesign } from './schema/build-schema';

export type EngineOptions = {
  readonly server: Pick<FastifyInstance, 'inject'>;
  readonly document: ApiDocument;
  readonly design: GraphqlDesign;
  readonly store: Pick<EventStore, 'follow' | 'head'>;
  readonly reads: Pick<ReadModels, 'list' | 'reached'>;
  readonly stopping: AbortSignal;
  readonly limits?: Limits;
};

/** The schema with what runs it. It is made at the first request, because reading the libraries of GraphQL takes longer than most starts may. */
export class Engine {
  readonly schema: GraphQLSchema;
  readonly documents: Documents;

  constructor(private readonly options: EngineOptions) {
    const { server, document, design, limits = LIMITS } = options;
    this.schema = buildSchema(document, design, { ...options, calls: new RestCalls(server), limits });
    this.documents = new Documents(this.schema, limits);
  }

  /** What belongs to one request, or to one connection. */
  session(caller: Caller, request: Pick<FastifyRequest, 'headers' | 'id'>): Session {
    return { caller, headers: carriedHeaders(request.headers, correlationIdOf(request)), records: new RecordLoader(this.options.reads, caller.siteId), live: 0 };
  }

  /** Runs a query, or a mutation where one is taken. A document that is refused has run nothing. */
  async run({ query, operationName, variables }: GraphqlParams, session: Session, { mutations }: { readonly mutations: boolean }): Promise<ExecutionResult> {
    const accepted = this.documents.accept(query, operationName, variables);
    if ('errors' in accepted) return { errors: accepted.errors };
    const { document, operation } = accepted;
    if (operation.operation === 'subscription') return { errors: [refusal('A subscription is opened over WebSocket, by the protocol graphql-transport-ws.')] };
    if (operation.operation === 'mutation' && !mutations) throw new ProblemException(405, 'VALIDATION_FAILED', 'A mutation is sent by POST.', { kept: false });
    return execute({ schema: this.schema, document, contextValue: { session }, variableValues: variables, operationName: operationName ?? null });
  }
}
