import type {
  ActivatedConstitution, BacktestConstitutionBody, ConstitutionBacktest, ConstitutionDifference, ConstitutionView, DraftConstitutionBody, DryRun, DryRunBody, Evaluator,
} from '@app/constitution/contract';
import type { InputOf } from './connection/input-of';
import { everyRow, type ListQuery } from './connection/pages';
import { path } from './connection/path';
import type { Answer, Page, ReadOptions, Transport, WriteOptions } from './connection/transport';

/** One version of what content has to hold to; at most one is active. */
export type ConstitutionVersion = ConstitutionView;
export type NewConstitution = InputOf<typeof DraftConstitutionBody>;
/** Which items a dry run looks at: those of all collections, fifty of each, unless it says otherwise. */
export type ConstitutionTrial = InputOf<typeof DryRunBody>;
export type ConstitutionDryRun = DryRun;
export type ConstitutionQuery = ListQuery & { readonly status?: ConstitutionVersion['status'] | undefined };
export type { ActivatedConstitution, ConstitutionBacktest, ConstitutionDifference, Evaluator };

/** Versions of the evaluators of a site. Needs `constitution:write` for everything but reading. */
export class Constitution {
  constructor(private readonly transport: Transport) {}

  list = (query: ConstitutionQuery = {}, options: ReadOptions = {}): Promise<Page<ConstitutionVersion>> => this.transport.page('/agent/constitution', { ...options, query });

  each = (query: ConstitutionQuery = {}, options: ReadOptions = {}): AsyncGenerator<ConstitutionVersion> => everyRow((cursor) => this.list({ ...query, cursor }, options));

  get = async (constitutionId: string, options?: ReadOptions): Promise<ConstitutionVersion> =>
    (await this.transport.read<ConstitutionVersion>(path`/agent/constitution/${constitutionId}`, options)).data;

  draft = (constitution: NewConstitution, options?: WriteOptions): Promise<Answer<ConstitutionVersion>> => this.transport.write('POST', '/agent/constitution', constitution, options);

  /** What it says about the items the site has now; none of them changes. */
  dryRun = (constitutionId: string, trial: ConstitutionTrial = {}, options?: WriteOptions): Promise<Answer<ConstitutionDryRun>> =>
    this.transport.write('POST', path`/agent/constitution/${constitutionId}/dry-run`, trial, options);

  /** What it would have said about content that was written before, between two log positions or ever. */
  backtest = (constitutionId: string, range: BacktestConstitutionBody = {}, options?: WriteOptions): Promise<Answer<ConstitutionBacktest>> =>
    this.transport.write('POST', path`/agent/constitution/${constitutionId}/backtest`, range, options);

  /** Puts it in force in place of the one before. Runs that are open keep the version they began under. */
  activate = (constitutionId: string, options?: WriteOptions): Promise<Answer<ActivatedConstitution>> =>
    this.transport.write('POST', path`/agent/constitution/${constitutionId}/activate`, undefined, options);
}
