import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { checkArguments } from '@app/json-schema';
import type { Rejected } from '@app/kernel';
import { appliedContent, isApplied } from '../apply-artifact/plan-application.policy';
import { CONTENT_SCHEMAS } from '../evaluators/content-schemas';
import { openApiProblems } from '../evaluators/open-api';
import { keepable } from '../written-content';
import { CheckContent } from './check-content.query';

@QueryHandler(CheckContent)
export class CheckContentHandler implements IQueryHandler<CheckContent> {
  async execute({ type, content }: CheckContent): Promise<readonly string[]> {
    const shape = checkArguments(CONTENT_SCHEMAS[type], content).problems.map(({ path, message }) => `${path === '' ? '/' : path} ${message}`);
    const api = type === 'api_spec' ? await openApiProblems(content) : [];
    const applied = isApplied(type) ? appliedContent(type, content) : undefined;
    const kept = keepable(content);
    return [...shape, ...api, ...(applied?.ok === false ? errorsIn(applied) : []), ...(kept.ok ? [] : errorsIn(kept))];
  }
}

const errorsIn = ({ rejection }: Rejected): readonly string[] =>
  ((rejection.facts?.['errors'] as readonly { readonly pointer: string; readonly detail: string }[] | undefined) ?? []).map(({ pointer, detail }) => `${pointer} ${detail}`);
