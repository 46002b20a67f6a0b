import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { PROBLEM_CODES } from '@app/kernel';
import { coreSkills } from '@app/skills';
import { reference } from '../../apps/gateway/src/reference/reference';
import { ExampleStory, NOT_SENT } from './example-story';
import { operationsOf, type Operation } from './openapi';
import { testServer, type Body, type TestServer } from './server';

type Shown = { readonly at: string; readonly schema: object; readonly values: readonly unknown[] };

const escaped = (step: string) => step.replaceAll('~', '~0').replaceAll('/', '~1');

/** Every body and successful answer of an operation, with the examples that the document gives of it. */
const shownIn = ({ method, path, operation }: Operation): readonly Shown[] => {
  const at = `#/paths/${escaped(path)}/${method.toLowerCase()}`;
  const contents: readonly (readonly [string, Body])[] = [
    ['requestBody', operation.requestBody?.content],
    ...Object.entries(operation.responses as Body).filter(([status]) => status.startsWith('2')).map(([status, answer]) => [`responses/${status}`, (answer as Body).content] as const),
  ];
  return contents.flatMap(([where, content]) =>
    Object.entries((content ?? {}) as Body).map(([type, media]) => {
      const { schema, example, examples } = media as Body;
      return { at: `${at}/${where}/content/${escaped(type)}/schema`, schema, values: examples ? Object.values(examples as Body).map((one) => (one as Body).value as unknown) : example === undefined ? [] : [example as unknown] };
    }));
};

describe('The reference', () => {
  let server: TestServer;
  let document: Body;
  let operations: readonly Operation[];

  beforeAll(async () => {
    server = await testServer();
    document = (await server.admin('GET', '/openapi.json')).body;
    operations = operationsOf(document);
  });
  afterAll(() => server.close());

  it('[API-029] lints clean with the rules that Redocly recommends, and has an example per operation', async () => {
    const config = await createConfig({
      extends: ['recommended'],
      rules: {
        // Nobody has chosen a licence for the product, and the document must not invent one.
        'info-license': 'off',
      },
    });
    const problems = await lintFromString({ source: JSON.stringify(document), absoluteRef: '/openapi.json', config });
    expect(problems.map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer}: ${message}`)).toEqual([]);

    const ajv = new Ajv2020({ strict: false, validateSchema: false });
    addFormats.default(ajv);
    ajv.addSchema(document as object, 'api');
    for (const { at, values } of operations.flatMap(shownIn)) {
      expect([at, values.length > 0]).toEqual([at, true]);
      const validate: ValidateFunction = ajv.compile({ $ref: `api${encodeURI(at)}` });
      for (const value of values) expect([at, value, validate(value) ? undefined : ajv.errorsText(validate.errors)]).toEqual([at, value, undefined]);
    }
    expect(operations.filter((one) => shownIn(one).length === 0).map(({ operation }) => operation.operationId)).toEqual(['mcpGet', 'mcpDelete']);
    // What a text describes has to exist.
    expect(Object.keys(reference.values.components).filter((name) => document.components.schemas[name] === undefined)).toEqual([]);
    expect(Object.keys(reference.operations).filter((name) => !operations.some(({ operation }) => operation.operationId === name))).toEqual([]);
  });

  it('gives examples of bodies that a server takes', async () => {
    const sent = await new ExampleStory(document, server.admin).tell();
    expect(sent.filter(({ answer }) => answer.status >= 300).map(({ operation, answer }) => `${operation}: ${answer.text}`)).toEqual([]);
    const told = new Set(sent.map(({ operation }) => operation));
    expect(operations.filter(({ operation }) => operation.requestBody && !told.has(operation.operationId as string)).map(({ operation }) => operation.operationId as string).toSorted()).toEqual(Object.keys(NOT_SENT).toSorted());
  });

  it('[API-031] describes the surfaces of the product for language models at /llms.txt', async () => {
    const answer = await fetch(`${server.url}/llms.txt`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
    const text = await answer.text();
    // The convention: one title, a summary, text without headings, then sections that are lists of links with a description.
    const [head, ...sections] = text.split(/^## /m);
    expect(head).toMatch(/^# Agent Harness\n\n> \S[^\n]+\n\n/);
    expect(head!.slice(2)).not.toMatch(/^#/m);
    for (const section of sections) expect(section).toMatch(/^[^\n]+\n\n(- \[[^\]]+\]\([^)]+\): [^\n]+\n)+\n?$/);

    const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, link]) => new URL(link!, `${server.url}/llms.txt`));
    const areas = new Set(document.tags.map(({ name }: Body) => `#area-${name as string}`));
    for (const page of new Set(links.map(({ origin, pathname }) => origin + pathname))) expect([page, (await fetch(page)).status]).toEqual([page, 200]);
    const anchors = links.map(({ hash }) => hash).filter((hash) => hash !== '');
    expect(anchors.filter((hash) => !areas.has(hash) && !operations.some(({ operation }) => hash === `#${operation.operationId as string}`))).toEqual([]);
    expect([...areas].filter((hash) => !anchors.includes(hash as string))).toEqual([]);

    // Every route, status, code and tool that it names is one of the product, and none of the door's answers is left out.
    const paths = [...text.matchAll(/`(?:(GET|POST|PUT) )?(\/api\/v1\/[^` ]+|\/[a-z]+)`/g)].map(([, method, path]) => [method, path!] as const);
    expect(paths.length).toBeGreaterThan(6);
    const isServed = (method: string | undefined, path: string) => operations.some((one) => one.path === path && (method === undefined || one.method === method));
    // Routes of other protocols are no operations; without a key they say so.
    expect((await fetch(`${server.url}/graphql`)).status).toBe(401);
    expect(paths.filter(([method, path]) => path !== '/graphql' && !isServed(method, path.replace(/^\/(complete|fail)$/, '/api/v1/agent/runs/{runId}/$1')))).toEqual([]);
    expect([...text.matchAll(/^- `([a-z_]+)`: /gm)].map(([, status]) => status)).toEqual(document.components.schemas.ToolCallAnswer.properties.status.enum);
    expect([...text.matchAll(/`([A-Z_]{4,})`/g)].map(([, code]) => code!).filter((code) => !['POST', 'GET'].includes(code) && !(PROBLEM_CODES as readonly string[]).includes(code))).toEqual([]);
    const { data: tools } = (await server.admin('GET', 'agent/tools?limit=200')).body;
    const named = /^Tools that every site starts with[^\n]*\n\n((?:- [^\n]*\n)+)/m.exec(text)![1]!;
    const byName = (kind: RegExp) => [...kind.exec(named)![0].matchAll(/`([^`]+)`/g)].map(([, name]) => name!).toSorted();
    const core = (tools as Body[]).filter(({ owner }) => owner === 'core');
    expect(byName(/They read.*/)).toEqual(core.filter(({ risk, dangerous }) => risk === 'read' && !dangerous).map(({ name }) => name as string).toSorted());
    const attended = coreSkills.filter(({ definition }) => definition.attended).map(({ definition }) => definition.name);
    expect(byName(/They wait.*/)).toEqual(core.filter(({ name, dangerous }) => dangerous || attended.includes(name as string)).map(({ name }) => name as string).toSorted());
    expect(byName(/.*/s)).toEqual(core.map(({ name }) => name as string).toSorted());
  });
});
