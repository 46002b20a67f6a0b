import { z } from 'zod';

export const FILE_TYPES = ['markdown', 'cells'] as const;
export const COLUMN_TYPES = ['text', 'number', 'boolean', 'date'] as const;

/** A file fits into the record of the call that reads it, and the one that overwrites it holds it twice. */
export const MAX_BYTES = 192 * 1024;
export const MAX_ROWS = 5_000;
export const MAX_COLUMNS = 100;
export const MAX_FILES = 2_000;
export const MAX_STEPS = 20;
const MAX_CELL = 4_000;
const MAX_EDITS = 1_000;

export const FileId = z.string().regex(/^desk_[0-9a-f]{32}$/, 'Must be the id of a desk file');
/** What makes a name is judged where the change is decided. */
export const FileName = z.string().min(1).max(200).describe('A name such as Plan.md; no path');
export const Folder = z.string().max(500).describe('Where it lies, such as notes/2030; the empty text is the root');

export const CellValue = z.union([z.string().max(MAX_CELL), z.number(), z.boolean(), z.null()]);
export type CellValue = z.infer<typeof CellValue>;
export const ColumnName = z.string().min(1).max(100);
export const Column = z.strictObject({ name: ColumnName, type: z.enum(COLUMN_TYPES) });
export type Column = Readonly<z.infer<typeof Column>>;
export const Row = z.array(CellValue).max(MAX_COLUMNS);

/** A table: every row has a value, or null, for every column. Dates are written 2030-01-31. */
export const Cells = z.strictObject({ columns: z.array(Column).min(1).max(MAX_COLUMNS), rows: z.array(Row).max(MAX_ROWS) }).meta({ id: 'DeskCells' });
export type Cells = z.infer<typeof Cells>;
export const Markdown = z.string().max(MAX_BYTES);

/** What a file holds, by its type. */
export const FileContent = z.union([Markdown, Cells]);
export type FileContent = z.infer<typeof FileContent>;

export const Revision = z.int().min(1).max(1_000_000);
const IfRevision = Revision.optional().describe('Do it only if this is still the revision of the file');

/** `content` is text for a file of type markdown, and a table for one of type cells. */
export const CreateFile = z.strictObject({ name: FileName, folder: Folder.optional(), type: z.enum(FILE_TYPES), content: FileContent }).meta({ id: 'CreateDeskFile' });
export type CreateFile = z.infer<typeof CreateFile>;
export const UpdateMarkdown = z.strictObject({ fileId: FileId, content: Markdown, ifRevision: IfRevision });
/** Cells are set first, then rows are taken away, by the numbers they had, then others are appended. Rows count from 0. */
export const UpdateCells = z.strictObject({
  fileId: FileId,
  set: z.array(z.strictObject({ row: z.int().min(0).max(MAX_ROWS), column: ColumnName, value: CellValue })).max(MAX_EDITS).optional(),
  deleteRows: z.array(z.int().min(0).max(MAX_ROWS)).max(MAX_EDITS).optional(),
  appendRows: z.array(Row).max(MAX_EDITS).optional(),
  ifRevision: IfRevision,
});
export const RenameFile = z.strictObject({ fileId: FileId, name: FileName.optional(), folder: Folder.optional() });
export const DeleteFile = z.strictObject({ fileId: FileId, ifRevision: IfRevision });
export const RestoreFile = z.strictObject({ fileId: FileId, revision: Revision.optional() });

/** Every change of a desk that there is, by what is done. */
export type DeskChange =
  | ({ readonly do: 'create' } & z.infer<typeof CreateFile>)
  | ({ readonly do: 'update_markdown' } & z.infer<typeof UpdateMarkdown>)
  | ({ readonly do: 'update_cells' } & z.infer<typeof UpdateCells>)
  | ({ readonly do: 'rename' } & z.infer<typeof RenameFile>)
  | ({ readonly do: 'delete' } & z.infer<typeof DeleteFile>)
  | ({ readonly do: 'restore' } & z.infer<typeof RestoreFile>);

/** A step of a plan: the tool it stands for, with the exact arguments it is carried out with. */
export const PlanStep = z.discriminatedUnion('tool', [
  z.strictObject({ tool: z.literal('desk_create_file'), arguments: CreateFile }),
  z.strictObject({ tool: z.literal('desk_update_cells'), arguments: UpdateCells }),
  z.strictObject({ tool: z.literal('desk_update_markdown'), arguments: UpdateMarkdown }),
  z.strictObject({ tool: z.literal('desk_rename_file'), arguments: RenameFile }),
  z.strictObject({ tool: z.literal('desk_delete_file'), arguments: DeleteFile }),
]);
export type PlanStep = z.infer<typeof PlanStep>;
export const Plan = z.strictObject({ title: z.string().min(1).max(300), steps: z.array(PlanStep).min(1).max(MAX_STEPS) });
export type Plan = z.infer<typeof Plan>;

const DONE_BY = { desk_create_file: 'create', desk_update_cells: 'update_cells', desk_update_markdown: 'update_markdown', desk_rename_file: 'rename', desk_delete_file: 'delete' } as const;

/** The change that a step is; arguments may not name another one. */
export const changeOf = (step: PlanStep): DeskChange => ({ ...step.arguments, do: DONE_BY[step.tool] }) as DeskChange;

/** What a run must hold for a change. */
export const capabilityOf = ({ do: kind }: DeskChange): string => (kind === 'create' ? 'desk:create' : kind === 'delete' ? 'desk:delete' : 'desk:write');
