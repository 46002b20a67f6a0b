import type { Catalogue } from '@app/kernel';
import { z } from 'zod';
import { CHECKPOINT_SUBJECT, CLOUD_EVENT_TYPE, DELIVERY_STREAM, deliverySubject, HEAD_SUBJECT, RPC_PREFIX, STREAM } from './contract';

type Json = Record<string, unknown>;

/** A command that is taken over NATS: what is sent, and what is answered. */
export type RpcDescription = { readonly name: string; readonly summary: string; readonly payload: z.ZodType; readonly ids?: readonly string[]; readonly answer: z.ZodType };

export type AsyncApiOptions = { readonly catalogue: Catalogue; readonly commands: readonly RpcDescription[]; readonly version: string };

const ref = (...path: string[]) => ({ $ref: `#/${path.map((step) => step.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')}` });
const text = (description: string): Json => ({ type: 'string', description });

/** The AsyncAPI 3 document of everything that is said over NATS, made from the event types and the schemas of the commands. */
export const asyncApi = ({ catalogue, commands, version }: AsyncApiOptions): Json => {
  const types = catalogue.all().toSorted((a, b) => (a.type < b.type ? -1 : 1));
  const categories = [...new Set(types.map(({ category }) => category))].toSorted();
  const schemas: Json = { CloudEventAttributes: ATTRIBUTES, Problem: PROBLEM, Checkpoint: CHECKPOINT, Head: text('The position of the newest event'), Delivery: DELIVERY, Offer: OFFER, OfferAnswer: OFFER_ANSWER };
  const messages: Json = {
    Checkpoint: message('A signed checkpoint of the hash chain', 'Checkpoint'), Head: { ...message('A hint that the log has a new head', 'Head'), contentType: 'text/plain' },
    Delivery: { ...message('An event that a subscription is sent', 'Delivery'), headers: DELIVERY_HEADERS },
    Offer: message('A call for a worker', 'Offer'), OfferAnswer: message('Whether the worker takes it', 'OfferAnswer'),
  };
  for (const { type, schema, version: dataVersion } of types) {
    Object.assign(schemas, named(`${type}Data`, schema as z.ZodType, 'output'));
    schemas[type] = { allOf: [ref('components', 'schemas', 'CloudEventAttributes'), { type: 'object', properties: { type: { const: type }, dataversion: { const: dataVersion }, data: ref('components', 'schemas', `${type}Data`) } }] };
    messages[type] = { ...message(`${type}, an event of the log`, type), contentType: CLOUD_EVENT_TYPE, headers: EVENT_HEADERS };
  }
  for (const { name, summary, payload, ids = [], answer } of commands) {
    const pascal = name.charAt(0).toUpperCase() + name.slice(1);
    Object.assign(schemas, named(`${pascal}Body`, payload, 'input'), named(`${pascal}Data`, answer, 'output'));
    const body = ref('components', 'schemas', `${pascal}Body`);
    const idFields = Object.fromEntries(ids.map((id) => [id, { type: 'string' }]));
    schemas[`${pascal}Request`] = envelope(ids.length === 0 ? body : { allOf: [withFields(schemas[`${pascal}Body`] as Json, idFields, ids)] });
    schemas[`${pascal}Answer`] = answered(ref('components', 'schemas', `${pascal}Data`));
    messages[`${pascal}Request`] = { ...message(summary, `${pascal}Request`), headers: REQUEST_HEADERS };
    messages[`${pascal}Answer`] = message(`What came of ${name}`, `${pascal}Answer`);
  }
  const channels: Json = {
    ...Object.fromEntries(categories.map((category) => [`${category}Events`, {
      address: `harness.{siteId}.${category}.{eventType}`, title: `Events of ${category} streams`, description: `Kept in the JetStream stream ${STREAM}, in the order of the log.`,
      parameters: { siteId: { description: 'The site' }, eventType: { description: 'The type of the event', enum: types.filter((type) => type.category === category).map(({ type }) => type) } },
      messages: Object.fromEntries(types.filter((type) => type.category === category).map(({ type }) => [type, ref('components', 'messages', type)])),
    }])),
    deliveries: {
      address: deliverySubject('{siteId}', '{topic}'), title: 'What subscriptions are sent', description: `Kept in the JetStream stream ${DELIVERY_STREAM}; of each subscription in the order of the log, and again after a replay.`,
      parameters: { siteId: { description: 'The site' }, topic: { description: 'Chosen with the subscription; may have several parts' } }, messages: { Delivery: ref('components', 'messages', 'Delivery') },
    },
    toolCalls: { address: 'harness.tools.{siteId}.{tool}', title: 'Calls for workers', parameters: { siteId: { description: 'The site' }, tool: { description: 'The name of the tool' } }, messages: { Offer: ref('components', 'messages', 'Offer') } },
    toolCallAnswers: { address: null, title: 'The inbox of whoever offers a call', messages: { OfferAnswer: ref('components', 'messages', 'OfferAnswer') } },
    checkpoints: { address: CHECKPOINT_SUBJECT, title: 'Signed checkpoints', messages: { Checkpoint: ref('components', 'messages', 'Checkpoint') } },
    head: { address: HEAD_SUBJECT, title: 'The head of the log', messages: { Head: ref('components', 'messages', 'Head') } },
  };
  const operations: Json = {
    ...Object.fromEntries(categories.map((category) => [`publish${category.charAt(0).toUpperCase()}${category.slice(1)}Events`, { action: 'send', channel: ref('channels', `${category}Events`), summary: `Every event of ${category} streams` }])),
    publishDelivery: { action: 'send', channel: ref('channels', 'deliveries'), summary: 'Every event that a subscription to the broker wants' },
    offerToolCall: { action: 'send', channel: ref('channels', 'toolCalls'), summary: 'Offers a call to one worker of the queue group', reply: { channel: ref('channels', 'toolCallAnswers') } },
    publishCheckpoint: { action: 'send', channel: ref('channels', 'checkpoints'), summary: 'Every signed checkpoint' },
    publishHead: { action: 'send', channel: ref('channels', 'head'), summary: 'After each commit; kept by nobody' },
  };
  for (const { name, summary } of commands) {
    const pascal = name.charAt(0).toUpperCase() + name.slice(1);
    channels[name] = { address: `${RPC_PREFIX}${name}`, title: name, messages: { Request: ref('components', 'messages', `${pascal}Request`) } };
    channels[`${name}Answers`] = { address: null, title: 'The inbox of whoever asks', messages: { Answer: ref('components', 'messages', `${pascal}Answer`) } };
    operations[name] = { action: 'receive', channel: ref('channels', name), summary, reply: { channel: ref('channels', `${name}Answers`) } };
  }
  return {
    asyncapi: '3.0.0', id: 'urn:agent-harness:nats', defaultContentType: 'application/json',
    info: { title: 'Agent Harness over NATS', version, description: 'Events of the log, calls for workers, and commands. Positions are text.' },
    channels, operations, components: { messages, schemas },
  };
};

const message = (title: string, schema: string): Json => ({ title, payload: ref('components', 'schemas', schema) });

/** A schema and what it refers to, under names of its own. */
const named = (name: string, schema: z.ZodType, io: 'input' | 'output'): Json => {
  const { $schema: _dialect, $defs = {}, ...root } = z.toJSONSchema(schema, { target: 'draft-7', io, unrepresentable: 'any' }) as Json & { $defs?: Json };
  const { definitions = {}, ...own } = root as Json & { definitions?: Json };
  const below = { ...$defs, ...definitions };
  const renamed = <T>(value: T): T =>
    JSON.parse(JSON.stringify(value), (key: string, at: unknown) => (key === '$ref' && typeof at === 'string' ? at.replace(/^#\/(?:\$defs|definitions)\/(.+)$/, (_all, step: string) => `#/components/schemas/${name}.${step}`).replace(/^#$/, `#/components/schemas/${name}`) : at)) as T;
  return { [name]: renamed(withoutId(own)), ...Object.fromEntries(Object.entries(below).map(([step, at]) => [`${name}.${step}`, renamed(withoutId(at))])) };
};

const withoutId = (schema: unknown) => {
  const { id: _id, $id: _uri, ...rest } = schema as Json;
  return rest;
};

const withFields = (schema: Json, fields: Json, required: readonly string[]): Json => ({
  ...schema, properties: { ...(schema['properties'] as Json | undefined), ...fields }, required: [...((schema['required'] as string[] | undefined) ?? []), ...required],
});

/** What Nest's clients put around a message; it may be left out. */
const envelope = (data: Json): Json => ({ anyOf: [{ type: 'object', properties: { id: { type: 'string' }, pattern: { type: 'string' }, data }, required: ['id', 'pattern', 'data'] }, data] });

const answered = (data: Json): Json => ({
  type: 'object',
  properties: {
    id: { type: 'string' }, isDisposed: { type: 'boolean' },
    response: { type: 'object', properties: { data, position: text('Of the log, in digits') }, required: ['data', 'position'] },
    err: ref('components', 'schemas', 'Problem'),
  },
});

const DIGITS = { type: 'string', pattern: '^[1-9][0-9]{0,18}$' };
const HEX = { type: 'string', pattern: '^[0-9a-f]{64}$' };

const ATTRIBUTES: Json = {
  type: 'object',
  required: ['specversion', 'id', 'source', 'type', 'subject', 'time', 'datacontenttype', 'siteid', 'position', 'streamversion', 'dataversion', 'actorkind', 'actorid', 'correlationid', 'commandid', 'leaf'],
  properties: {
    specversion: { const: '1.0' }, id: { type: 'string', format: 'uuid' }, source: { type: 'string', format: 'uri-reference' }, type: { type: 'string' }, subject: text('The stream'), time: { type: 'string', format: 'date-time' },
    datacontenttype: { const: 'application/json' }, dataref: text('Where the API shows the data, when they are too large for the broker or sealed'), sealed: text('Names of the fields that are placeholders, separated by commas'),
    siteid: { type: 'string' }, position: { ...DIGITS, description: 'In the log; passes 2^53' }, streamversion: { type: 'integer', minimum: 1 }, dataversion: { type: 'integer', minimum: 1 },
    actorkind: { enum: ['human', 'agent', 'service'] }, actorid: { type: 'string' }, actorrole: { type: 'string' }, correlationid: { type: 'string' }, causationid: { type: 'string' }, commandid: { type: 'string' },
    traceparent: { type: 'string' }, runid: { type: 'string' }, goalid: { type: 'string' }, leaf: { ...HEX, description: 'In the hash chain' },
  },
};

const EVENT_HEADERS: Json = { type: 'object', properties: { 'Nats-Msg-Id': text('The id of the event'), 'Harness-Position': DIGITS, 'Content-Type': { const: CLOUD_EVENT_TYPE } } };
const DELIVERY: Json = { description: 'A CloudEvent, the event as `GET audit/events` shows it, or a line of CEF, as the subscription says', anyOf: [ref('components', 'schemas', 'CloudEventAttributes'), { type: 'object' }, { type: 'string' }] };
const DELIVERY_HEADERS: Json = {
  type: 'object', properties: { 'Nats-Msg-Id': text('The round of the subscription and the id of the event'), 'Harness-Position': DIGITS, 'Content-Type': { enum: [CLOUD_EVENT_TYPE, 'application/json', 'text/plain; charset=utf-8'] } },
};
const REQUEST_HEADERS: Json = {
  type: 'object', required: ['Authorization'],
  properties: { Authorization: text('Bearer, and an API key or the token of a run'), 'X-Site-Id': { type: 'string' }, 'Idempotency-Key': { type: 'string', maxLength: 255 }, 'X-Correlation-Id': { type: 'string' } },
};
const PROBLEM: Json = {
  type: 'object', required: ['type', 'title', 'status', 'code', 'detail'],
  properties: { type: { type: 'string' }, title: { type: 'string' }, status: { type: 'integer' }, code: { type: 'string' }, detail: { type: 'string' }, facts: { type: 'object' } },
};
const CHECKPOINT: Json = {
  type: 'object', required: ['position', 'chain', 'signedAt', 'keyId', 'signature'],
  properties: { position: DIGITS, chain: HEX, signedAt: { type: 'string', format: 'date-time' }, keyId: { type: 'string' }, signature: text('Ed25519, in base64') },
};
const OFFER: Json = {
  type: 'object', required: ['runId', 'callId', 'tool', 'leaseMs'],
  properties: { runId: { type: 'string' }, callId: { type: 'string' }, tool: { type: 'string' }, leaseMs: { type: 'integer' } },
};
const OFFER_ANSWER: Json = { type: 'object', required: ['taking'], properties: { taking: { type: 'boolean' } } };
