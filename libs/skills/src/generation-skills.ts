import {
  ApiDocsInput, AppSpecInput, AssistContent, AssistContentInput, DescribeApi, DescribeApp, GenerateApp, GenerateAppBody, MakeSeeds, SeedDataInput, SuggestField, SuggestFieldInput,
} from '@app/generate-app/contract';
import { acting } from './acting';
import { skill, type CoreSkill } from './core-skill';

/**
 * What is made up rather than looked up. The first two ask the language model and say so when there is none; the others are made from the schema. None
 * changes a collection or an item: `generateApp` keeps artifacts of the call's run, the rest only answers.
 */
export const generationSkills: readonly CoreSkill[] = [
  skill('aiSuggestField', {
    description: 'Suggests a field for a collection, by a language model; creates nothing.',
    input: SuggestFieldInput, capability: 'schema:read', risk: 'read',
    run: (input, { context }, { ask }) => ask(new SuggestField(input, context)),
  }),
  skill('aiContentAssist', {
    description: 'Suggests values for fields of an item, by a language model; changes nothing.',
    input: AssistContentInput, capability: 'items:read', risk: 'read',
    run: (input, { context }, { ask }) => ask(new AssistContent(input, context)),
  }),
  skill('generateApp', {
    description: 'Drafts an app as four artifacts: pages, components, first data and an API. Nothing takes effect until a person publishes them.',
    input: GenerateAppBody, capability: 'artifacts:write', risk: 'create',
    run: (input, call, dispatch) =>
      acting(call, dispatch, ({ principal }) => dispatch.send(new GenerateApp(input, principal, (step) => ({ ...call.context, commandId: `${call.context.commandId}:${step}` }), call.runId))),
  }),
  skill('generateAppSpec', {
    description: 'Describes the pages and components of an app for this site; keeps nothing.',
    input: AppSpecInput, capability: 'schema:read', risk: 'read', idempotent: true,
    run: (input, call, dispatch) => acting(call, dispatch, ({ principal }) => dispatch.ask(new DescribeApp(input, principal, call.context))),
  }),
  skill('generateApiDocs', {
    description: 'Documents the collections of the site as an OpenAPI document.',
    input: ApiDocsInput, capability: 'schema:read', risk: 'read', idempotent: true,
    run: (input, call, dispatch) => acting(call, dispatch, ({ principal }) => dispatch.ask(new DescribeApi(input, principal, call.context))),
  }),
  skill('generateSeedData', {
    description: 'Makes up items that a collection would take, from its fields; creates none.',
    input: SeedDataInput, capability: 'schema:read', risk: 'read', idempotent: true,
    run: (input, { context }, { ask }) => ask(new MakeSeeds(input, context)),
  }),
];
