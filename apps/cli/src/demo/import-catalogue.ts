import { DEMO_COLLECTION, type Run, type SettledApproval, type ToolCallResult } from '@app/sdk';
import type { NumberedRow } from './catalogue-file';
import { cleanTitle } from './clean-text';
import { inParallel } from './in-parallel';
import { readRow, type Product } from './product-row';

export type RejectedRow = { readonly line: number; readonly sku: string; readonly reason: string };
export type ImportProgress = { readonly step: 'import' | 'fix' | 'approval'; readonly done: number; readonly total?: number };
export type ImportSummary = {
  readonly rows: number;
  readonly imported: number;
  readonly fixed: number;
  readonly deleted: number;
  readonly duplicates: number;
  readonly rejectedRows: readonly RejectedRow[];
  readonly calls: number;
  readonly approvals: readonly { readonly approvalId: string; readonly status: string }[];
};

type Imported = { readonly id: string; readonly product: Product };

const PARALLEL = 8;
const COLLECTION = DEMO_COLLECTION.name;
/** Rows that somebody made to try the shop out, and forgot. */
const isTestRow = ({ sku }: Product): boolean => /^TEST\b/i.test(sku);

/** What the agent does with a product file, each step a tool call through the door. Nothing else touches the shop. */
export class CatalogueImport {
  private readonly imported: Imported[] = [];
  private readonly rejectedRows: RejectedRow[] = [];
  private readonly approvals: SettledApproval[] = [];
  private readonly known = new Set<string>();
  private rows = 0;
  private duplicates = 0;
  private fixed = 0;
  private deleted = 0;
  private calls = 0;

  constructor(
    private readonly run: Run,
    private readonly report: (progress: ImportProgress) => void,
  ) {}

  async all(rows: AsyncIterable<NumberedRow>): Promise<ImportSummary> {
    await this.learnWhatIsThere();
    await inParallel(rows, PARALLEL, (row) => this.importRow(row));
    await this.fixTitles();
    await this.removeTestRows();
    const { imported, fixed, deleted, duplicates, rejectedRows, calls } = this;
    const approvals = this.approvals.map(({ id, status }) => ({ approvalId: id, status }));
    return { rows: this.rows, imported: imported.length, fixed, deleted, duplicates, rejectedRows, calls, approvals };
  }

  private call(tool: string, args: Readonly<Record<string, unknown>>): Promise<ToolCallResult> {
    this.calls++;
    return this.run.call(tool, args);
  }

  private async learnWhatIsThere(): Promise<void> {
    for (let cursor: string | undefined; ;) {
      const answer = await this.call('listItems', { collection: COLLECTION, limit: 200, ...(cursor === undefined ? {} : { cursor }) });
      const page = executed<{ rows: { data: { sku?: string } }[]; nextCursor: string | null }>('listItems', answer);
      for (const { data } of page.rows) if (data.sku !== undefined) this.known.add(data.sku);
      if (page.nextCursor === null) return;
      cursor = page.nextCursor;
    }
  }

  private async importRow({ line, row }: NumberedRow): Promise<void> {
    this.rows++;
    const read = readRow(row);
    if (!read.ok) return void this.rejectedRows.push({ line, sku: (row['sku'] ?? '').trim(), reason: read.reason });
    const { product } = read;
    if (this.known.has(product.sku)) return void this.duplicates++;
    this.known.add(product.sku);
    const answer = await this.call('createItem', { collection: COLLECTION, data: product });
    if (answer.status !== 'executed') return void this.rejectedRows.push({ line, sku: product.sku, reason: whyNot(answer) });
    this.imported.push({ id: executed<{ id: string }>('createItem', answer).id, product });
    this.report({ step: 'import', done: this.imported.length });
  }

  private async fixTitles(): Promise<void> {
    const wrong = this.imported.filter(({ product }) => cleanTitle(product.title) !== product.title);
    await inParallel(wrong, PARALLEL, async ({ id, product }) => {
      executed('updateItem', await this.call('updateItem', { collection: COLLECTION, id, data: { title: cleanTitle(product.title) } }));
      this.report({ step: 'fix', done: ++this.fixed, total: wrong.length });
    });
  }

  /** Deleting is dangerous, so the door answers with an approval; the agent waits until another person has decided. */
  private async removeTestRows(): Promise<void> {
    for (const { id } of this.imported.filter(({ product }) => isTestRow(product))) {
      const answer = await this.call('deleteItem', { collection: COLLECTION, id });
      if (answer.approvalId === undefined) throw new Error(`deleteItem should wait for an approval, but answered ${answer.status}`);
      this.report({ step: 'approval', done: this.approvals.length });
      const settled = await this.run.waitForApproval(answer.approvalId);
      this.approvals.push(settled);
      if (settled.status === 'approved' && settled.call?.status === 'executed') this.deleted++;
    }
  }
}

const whyNot = ({ status, reason }: ToolCallResult): string => `the door answered ${status}${reason === undefined ? '' : `: ${reason}`}`;

const executed = <T>(tool: string, answer: ToolCallResult): T => {
  if (answer.status !== 'executed') throw new Error(`${tool} was not executed; ${whyNot(answer)}`);
  return answer.result as T;
};
