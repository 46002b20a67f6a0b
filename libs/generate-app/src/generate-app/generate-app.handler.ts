import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CheckContent, DraftArtifact, EvaluateArtifact, type EvaluateArtifactBody } from '@app/artifacts/contract';
import { Bus } from '@app/cqrs';
import { Executor } from '@app/event-store';
import { OpenGoal } from '@app/goals/contract';
import { missing, type Outcome, type Rejected } from '@app/kernel';
import { EndRun, isOpened, run } from '@app/runs/contract';
import { invalidAnswer, ModelAnswers } from '../ask-model/model-answers';
import { appName, ecommerceApp, namesWanted, type App } from '../ecommerce/ecommerce-app.policy';
import { appQuestion } from '../model-written/app-question.policy';
import { writtenApp } from '../model-written/written-app.policy';
import { SiteContextReader } from '../site-context/site-context';
import type { SiteContext } from '../site-context/site-context.policy';
import { APP_PARTS, GenerateApp, type AppPart, type GeneratedApp } from './generate-app.command';

type Written = { readonly ok: true; readonly app: App; readonly writer: 'template' | 'model'; readonly model: string | null } | Rejected;
type Place = { readonly ok: true; readonly runId: string; readonly goalId: string | null; readonly isOwn: boolean } | Rejected;

@CommandHandler(GenerateApp)
export class GenerateAppHandler implements ICommandHandler<GenerateApp> {
  constructor(
    private readonly executor: Executor,
    private readonly bus: Bus,
    private readonly contexts: SiteContextReader,
    private readonly models: ModelAnswers,
  ) {}

  async execute(command: GenerateApp): Promise<Outcome<GeneratedApp>> {
    const { body, principal, contextFor } = command;
    if (body.writer === 'model' && !this.models.isConfigured) return unanswered(await this.models.ask({ system: '', user: '' }));
    const place = await this.place(command);
    if (!place.ok) return place;
    const { siteId, now } = contextFor('open');
    const { context: site } = await this.contexts.at({ principal, siteId, now, goalId: place.goalId, names: namesWanted(body) });
    const made = await this.make(command, place, site);
    if (!place.isOwn) return made;
    const wish = made.ok ? { to: 'complete', result: { artifacts: made.data.artifacts.map(({ id }) => id) } } as const : { to: 'fail', reason: made.rejection.detail } as const;
    const ended = await this.bus.send(new EndRun(place.runId, wish, principal, contextFor('end')));
    if (!made.ok) return made;
    if (!ended.ok) return ended.rejection.code === 'RUN_TERMINAL' ? made : ended;
    return { ...made, position: ended.position };
  }

  /** A run of its own, unless a run asks for the app. */
  private async place({ body, principal, contextFor, runId }: GenerateApp): Promise<Place> {
    if (runId !== undefined) {
      const { state } = await this.executor.current(run, runId);
      return isOpened(state) ? { ok: true, runId, goalId: state.goalId, isOwn: false } : missing();
    }
    const goal = { title: `Generate app: ${appName(body)}`, agentName: 'generate-app', ...(principal.agentRole !== undefined && { agentRole: principal.agentRole }), budget: { maxToolCalls: 0 } };
    const opened = await this.bus.send(new OpenGoal(goal, principal, contextFor('open'), { origin: 'user' }));
    return opened.ok ? { ok: true, ...opened.data, isOwn: true } : opened;
  }

  private async make(command: GenerateApp, { runId, goalId }: Extract<Place, { ok: true }>, site: SiteContext): Promise<Outcome<GeneratedApp>> {
    const { body, principal, contextFor } = command;
    const written = await this.write(body, site);
    if (!written.ok) return written;
    const { app, writer, model } = written;
    const problems = (await Promise.all(APP_PARTS.map(async (part) => (await this.bus.ask(new CheckContent(part, app[part]))).map((problem) => `/${part}${problem}`)))).flat();
    if (problems.length > 0 && writer === 'model') return invalidAnswer(problems);
    const artifacts: GeneratedApp['artifacts'][number][] = [];
    let position = 0n;
    for (const part of APP_PARTS) {
      const draft = { type: part, title: `${appName(body)}: ${TITLES[part]}`, content: app[part], runId, sources: sourcesOf(site), ...(model !== null && { model }) };
      const drafted = await this.bus.send(new DraftArtifact(draft, principal, contextFor(part)));
      if (!drafted.ok) return drafted;
      const evaluated = await this.bus.send(new EvaluateArtifact(drafted.data.id, checksOf(part), contextFor(`evaluate-${part}`)));
      if (!evaluated.ok) return evaluated;
      position = evaluated.position;
      artifacts.push({ ...drafted.data, evaluations: evaluated.data.evaluations });
    }
    const context = { collections: site.collections.map(({ name }) => name), policies: site.policies, memories: site.memories.map(({ id }) => id), withheld: site.withheld };
    return { ok: true, data: { goalId, runId, template: body.template, writer, model, context, artifacts }, position };
  }

  private async write(body: GenerateApp['body'], site: SiteContext): Promise<Written> {
    const draft = ecommerceApp(body, site);
    if (body.writer === 'template' || (body.writer === undefined && !this.models.isConfigured)) return { ok: true, app: draft, writer: 'template', model: null };
    const answer = await this.models.ask(appQuestion(appName(body), draft, site));
    if (!answer.ok) return answer;
    const checked = writtenApp(answer.value, draft);
    return checked.ok ? { ok: true, app: checked.app, writer: 'model', model: answer.model } : invalidAnswer(checked.problems);
  }
}

const TITLES: Readonly<Record<AppPart, string>> = { page_spec: 'pages', component_spec: 'components', seed_data: 'collections and first items', api_spec: 'API' };

/** The constitution has its word when an artifact is submitted and when it is published. */
const checksOf = (part: AppPart): EvaluateArtifactBody => ({
  evaluations: [{ type: 'json_schema' }, ...(part === 'api_spec' ? [{ type: 'api_spec' } as const] : []), { type: 'permission_diff' }, { type: 'prompt_safety' }],
});

const MOST_SOURCES = 50;
const sourcesOf = ({ collections, policies, memories }: SiteContext): string[] =>
  [...memories.map(({ id }) => `memory ${id}`), ...policies.map((name) => `policy ${name}`), ...collections.map(({ name }) => `collection ${name}`)].slice(0, MOST_SOURCES);

const unanswered = (answer: Awaited<ReturnType<ModelAnswers['ask']>>): Rejected => (answer.ok ? invalidAnswer([]) : answer);
