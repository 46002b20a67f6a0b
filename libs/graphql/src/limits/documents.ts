import { getOperationAST, GraphQLError, parse, validate, type DocumentNode, type GraphQLSchema, type OperationDefinitionNode, type Token } from 'graphql';
import { LRUCache } from 'lru-cache';
import { refusal } from '../problems';
import type { Limits } from './costs';
import { measure } from './measure';

export type Accepted = { readonly document: DocumentNode; readonly operation: OperationDefinitionNode };
export type Refused = { readonly errors: readonly GraphQLError[] };

type Read = { readonly document: DocumentNode } | Refused;

const KEPT_DOCUMENTS = 500;
const KEPT_CHARACTERS = 4_000_000;

/** Reads and judges documents. What comes out of `accept` may run; the rest has not touched anything. */
export class Documents {
  private readonly known = new LRUCache<string, Read>({ max: KEPT_DOCUMENTS, maxSize: KEPT_CHARACTERS, sizeCalculation: (_read, source) => source.length });

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly limits: Limits,
  ) {}

  /** Parsed, valid, with one operation of that name, and within the limits. */
  accept(source: string, operationName: string | null | undefined, variables: Readonly<Record<string, unknown>>): Accepted | Refused {
    const read = this.read(source);
    if ('errors' in read) return read;
    const { document } = read;
    const operation = getOperationAST(document, operationName);
    if (!operation) return { errors: [refusal(operationName ? `There is no operation ${operationName} in the document.` : 'The document has several operations; name one as operationName.')] };
    const errors = this.beyond(document, operation, variables);
    return errors.length > 0 ? { errors } : { document, operation };
  }

  /** What is wrong with a document that somebody else has parsed: rules first, then limits. */
  faultsOf(document: DocumentNode, variables: Readonly<Record<string, unknown>>): readonly GraphQLError[] {
    if (document.loc === undefined) return [refusal('Send the document as text.')];
    if (isLonger(document.loc.startToken, this.limits.tokens)) return [refusal(`The document has more than ${this.limits.tokens} words and signs.`)];
    const errors = validate(this.schema, document);
    if (errors.length > 0) return errors;
    return document.definitions.flatMap((one) => (one.kind === 'OperationDefinition' ? this.beyond(document, one, variables) : []));
  }

  private read(source: string): Read {
    const known = this.known.get(source);
    if (known) return known;
    const read = this.judge(source);
    this.known.set(source, read);
    return read;
  }

  private judge(source: string): Read {
    try {
      const document = parse(source, { maxTokens: this.limits.tokens });
      const errors = validate(this.schema, document);
      return errors.length > 0 ? { errors } : { document };
    } catch (error) {
      if (error instanceof GraphQLError) return { errors: [error] };
      throw error;
    }
  }

  private beyond(document: DocumentNode, operation: OperationDefinitionNode, variables: Readonly<Record<string, unknown>>): readonly GraphQLError[] {
    const { depth, cost } = measure(this.schema, document, operation, variables);
    const { limits } = this;
    return [
      ...(depth > limits.depth ? [refusal(`The operation goes ${depth} fields deep; ${limits.depth} are taken.`, { depth, limit: limits.depth })] : []),
      ...(cost > limits.cost
        ? [refusal(`The operation costs ${Math.ceil(cost)} points; ${limits.cost} are taken. Ask for smaller pages or in several requests.`, { cost: Math.ceil(cost), limit: limits.cost })]
        : []),
    ];
  }
}

const isLonger = (first: Token, tokens: number): boolean => {
  let count = 0;
  for (let token: Token | null = first; token !== null && count <= tokens; token = token.next) count++;
  return count > tokens;
};
