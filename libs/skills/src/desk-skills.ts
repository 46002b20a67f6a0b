import {
  CarryOutPlan, ChangeDesk, changeOf, CreateFile, DeleteFile, ListDeskFiles, ListFilesInput, Plan, PreviewChanges, ReadDeskFile, ReadFileInput, ReadFileRevision, RehearseChanges, RenameFile,
  ResolveRef, ResolveRefInput, SearchDesk, SearchFilesInput, UpdateCells, UpdateMarkdown, type DeskChange,
} from '@app/desk/contract';
import type { CallTarget } from '@app/tool-calls/contract';
import type { z } from 'zod';
import { skill, type CoreSkill, type Dispatch } from './core-skill';

/** What a call is aimed at, with what is wrong about it: a change that would not go through is turned down at once, and nobody is asked about it. */
const aimedAt = async (changes: readonly DeskChange[], siteId: string, { ask }: Dispatch, principalId: string, pathOf?: (nr: number) => string): Promise<CallTarget> => {
  const [first] = changes;
  const problems = await ask(new RehearseChanges(changes, principalId, siteId, pathOf));
  return { collection: 'desk', itemId: first && first.do !== 'create' ? first.fileId : '', version: 0, pinnedFields: [], patch: null, problems };
};

/** One change of one file. Those of files that exist are attended: a person says yes to each, whatever the agent has earned. */
const change = <S extends z.ZodType>(
  name: string,
  { wanted, ...declared }: { readonly description: string; readonly input: S; readonly capability: string; readonly risk: 'create' | 'write' | 'destructive'; readonly wanted: (input: z.infer<S>) => DeskChange },
): CoreSkill =>
  skill(name, {
    ...declared, idempotent: true, ...(declared.risk !== 'create' && { attended: true as const }),
    run: (input, { context, runId }, { send }) => send(new ChangeDesk(wanted(input), { runId }, context)),
    target: (input, siteId, dispatch, principalId) => aimedAt([wanted(input)], siteId, dispatch, principalId),
    preview: (input, siteId, { ask }, principalId) => ask(new PreviewChanges([wanted(input)], principalId, siteId)),
  });

const stepsOf = (plan: Plan): readonly DeskChange[] => plan.steps.map(changeOf);

/** The desk of the person whose key opened the run. */
export const deskSkills: readonly CoreSkill[] = [
  skill('desk_list_files', {
    description: 'Lists the files of the desk, newest first, without what they hold.',
    input: ListFilesInput, capability: 'desk:read', risk: 'read', idempotent: true,
    run: (input, { context, runId, after }, { ask }) => ask(new ListDeskFiles(input, { runId }, context, after)),
  }),
  skill('desk_read_file', {
    description: 'Reads a desk file, as it is or as it was at a stored revision.',
    input: ReadFileInput, capability: 'desk:read', risk: 'read', idempotent: true,
    run: ({ fileId, revision }, { context, runId }, { ask }) =>
      revision === undefined ? ask(new ReadDeskFile(fileId, { runId }, context)) : ask(new ReadFileRevision(fileId, revision, { runId }, context)),
  }),
  skill('desk_search', {
    description: 'Finds desk files by their name, folder and content; every term has to be there.',
    input: SearchFilesInput, capability: 'desk:read', risk: 'read', idempotent: true,
    run: (input, { context, runId, after }, { ask }) => ask(new SearchDesk(input, { runId }, context, after)),
  }),
  change('desk_create_file', {
    description: 'Creates a desk file: type markdown with a text, or type cells with typed columns and rows.',
    input: CreateFile, capability: 'desk:create', risk: 'create', wanted: (input) => ({ ...input, do: 'create' }),
  }),
  change('desk_update_cells', {
    description: 'Proposes to set cells of a table, to delete rows and to append others. A person decides.',
    input: UpdateCells, capability: 'desk:write', risk: 'write', wanted: (input) => ({ ...input, do: 'update_cells' }),
  }),
  change('desk_update_markdown', {
    description: 'Proposes another text for a markdown file. A person decides.',
    input: UpdateMarkdown, capability: 'desk:write', risk: 'write', wanted: (input) => ({ ...input, do: 'update_markdown' }),
  }),
  change('desk_rename_file', {
    description: 'Proposes another name or folder for a file. A person decides.',
    input: RenameFile, capability: 'desk:write', risk: 'write', wanted: (input) => ({ ...input, do: 'rename' }),
  }),
  change('desk_delete_file', {
    description: 'Proposes to delete a file; it can be restored. A person decides.',
    input: DeleteFile, capability: 'desk:delete', risk: 'destructive', wanted: (input) => ({ ...input, do: 'delete' }),
  }),
  skill('desk_propose_plan', {
    description: 'Proposes several changes of desk files as one plan. A person approves all steps at once; they are carried out in order and stop at the first that fails.',
    input: Plan, capability: 'desk:ask', risk: 'write', attended: true, idempotent: true,
    run: (plan, { context, runId }, { send }) => send(new CarryOutPlan(plan, runId, context)),
    target: (plan, siteId, dispatch, principalId) => aimedAt(stepsOf(plan), siteId, dispatch, principalId, (nr) => `/steps/${nr}/arguments`),
    preview: (plan, siteId, { ask }, principalId) => ask(new PreviewChanges(stepsOf(plan), principalId, siteId)),
  }),
  skill('resolve_ref', {
    description: 'Gives the whole result of an earlier call of this run, in place of the summary of it.',
    input: ResolveRefInput, capability: 'desk:read', risk: 'read', idempotent: true,
    run: ({ ref }, { context, runId }, { ask }) => ask(new ResolveRef(ref, runId, context)),
  }),
];
