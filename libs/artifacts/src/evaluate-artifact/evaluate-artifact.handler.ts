import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { constitution } from '@app/constitution/contract';
import { Executor } from '@app/event-store';
import { governance } from '@app/governance/contract';
import { checkArguments, matchesPattern, patternProblem, schemaProblem } from '@app/json-schema';
import { accept, missing, reject, type Outcome } from '@app/kernel';
import { digestOf } from '../artifact-hash';
import { artifact, currentOf, type ArtifactVersion, type KnownArtifact } from '../artifact.state';
import { evaluationView } from '../artifact-list/artifact.view';
import { CONTENT_SCHEMAS } from '../evaluators/content-schemas';
import { openApiProblems } from '../evaluators/open-api';
import type { RolesNow } from '../evaluators/permission-diff.policy';
import { EvaluateArtifact, type EvaluatedArtifact } from './evaluate-artifact.command';
import { recordEvaluations } from './evaluate-artifact.decide';
import { evaluateAll, suitedTo, type EvaluationFacts } from './evaluation.policy';

@CommandHandler(EvaluateArtifact)
export class EvaluateArtifactHandler implements ICommandHandler<EvaluateArtifact> {
  constructor(private readonly executor: Executor) {}

  async execute({ artifactId, body, context }: EvaluateArtifact): Promise<Outcome<EvaluatedArtifact>> {
    const { state } = await this.executor.current(artifact, artifactId);
    if (state.status === 'none' || state.siteId !== context.siteId) return missing();
    const seen = currentOf(state);
    const requested = body.evaluations ?? suitedTo(state.type);
    const apiProblems = requested.some(({ type }) => type === 'api_spec') ? await openApiProblems(seen.content) : [];
    const evaluated = evaluateAll(requested, { ...(await this.factsOf(state, seen)), apiProblems });
    if (!evaluated.ok) return evaluated;
    const { runId, goalId } = seen.provenance;
    const ran = { ...context, ...(runId !== null && { runId }), ...(goalId !== null && { goalId }) };
    const done = await this.executor.execute({ artifact: { aggregate: artifact, id: artifactId } }, ran, (states) => {
      const decision = recordEvaluations(states.artifact, seen.version, evaluated.results, context);
      return decision.ok ? accept({ artifact: decision.events }) : decision;
    });
    if (!done.ok) return done;
    const constitutionHash = seen.provenance.constitution?.hash ?? null;
    const recorded = { version: seen.version, hash: seen.hash, constitutionHash, by: context.actor, at: context.now.toISOString() };
    return { ok: true, data: { artifactId, version: seen.version, hash: seen.hash, evaluations: evaluated.results.map((result) => evaluationView({ ...result, ...recorded })) }, position: done.position };
  }

  private async factsOf({ type, siteId }: KnownArtifact, { content, provenance }: ArtifactVersion): Promise<Omit<EvaluationFacts, 'apiProblems'>> {
    const site = (await this.executor.current(governance, siteId)).state;
    const roles: RolesNow = site.status === 'none' ? {} : Object.fromEntries(Object.values(site.roles).map(({ name, enabled, capabilities }) => [name, enabled ? capabilities : []]));
    const bound = provenance.constitution && (await this.executor.current(constitution, provenance.constitution.constitutionId)).state;
    return {
      artifactType: type, content, roles, pinned: bound && bound.status !== 'none' ? bound.evaluators : null, tools: { matches: matchesPattern },
      schemaProblems: (schema) => {
        const refused = schema && schemaProblem(schema);
        if (refused !== undefined) return reject('invalid', 'VALIDATION_FAILED', refused);
        return { ok: true, problems: checkArguments(schema ?? CONTENT_SCHEMAS[type], content).problems.map(({ path, message }) => `${path === '' ? '/' : path} ${message}`) };
      },
      patternProblem,
      nameOf: (brought) => digestOf(brought).slice(0, 12),
    };
  }
}
