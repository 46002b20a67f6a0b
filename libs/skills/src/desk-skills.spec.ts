import { describe, expect, it } from '@jest/globals';
import { PlanStep } from '@app/desk/contract';
import { checkArguments, schemaProblem } from '@app/json-schema';
import { coreSkills } from './core-skills';
import { deskSkills } from './desk-skills';

const definitions = deskSkills.map(({ definition }) => definition);
const changing = definitions.filter(({ risk }) => risk !== 'read');

describe('Skills of a desk', () => {
  it('ask a person about every file that exists, and about no read', () => {
    expect(definitions.map(({ name, requiredCapabilities, risk, attended }) => [name, ...requiredCapabilities, risk, attended ?? false])).toEqual([
      ['desk_list_files', 'desk:read', 'read', false], ['desk_read_file', 'desk:read', 'read', false], ['desk_search', 'desk:read', 'read', false], ['desk_create_file', 'desk:create', 'create', false],
      ['desk_update_cells', 'desk:write', 'write', true], ['desk_update_markdown', 'desk:write', 'write', true], ['desk_rename_file', 'desk:write', 'write', true],
      ['desk_delete_file', 'desk:delete', 'destructive', true], ['desk_propose_plan', 'desk:ask', 'write', true], ['resolve_ref', 'desk:read', 'read', false],
    ]);
    expect(coreSkills).toEqual(expect.arrayContaining([...deskSkills]));
  });

  it('that change a desk are the steps of a plan, each with the arguments of its tool', () => {
    const steps = PlanStep.options.map(({ shape }) => shape.tool.value);
    expect(steps.toSorted()).toEqual(changing.map(({ name }) => name).filter((name) => name !== 'desk_propose_plan').toSorted());
    const plan = definitions.find(({ name }) => name === 'desk_propose_plan')!;
    const FILE = `desk_${'0'.repeat(32)}`;
    const given = { desk_create_file: { name: 'x', type: 'markdown', content: 'x' }, desk_update_cells: { fileId: FILE, deleteRows: [0] }, desk_update_markdown: { fileId: FILE, content: 'x' }, desk_rename_file: { fileId: FILE, name: 'x' }, desk_delete_file: { fileId: FILE } };
    const inPlan = (tool: string, args: object) => checkArguments(plan.inputSchema, { title: 'x', steps: [{ tool, arguments: args }] }).problems.length === 0;
    for (const [tool, args] of Object.entries(given)) {
      const { inputSchema } = definitions.find(({ name }) => name === tool)!;
      for (const [more, taken] of [[{}, true], [{ confirmed: true }, false], [{ do: 'delete' }, false]] as const) {
        expect([tool, checkArguments(inputSchema, { ...args, ...more }).problems.length === 0, inPlan(tool, { ...args, ...more })]).toEqual([tool, taken, taken]);
      }
    }
    expect([inPlan('desk_propose_plan', { title: 'x', steps: [] }), inPlan('deleteItem', {}), inPlan('desk_delete_file', given.desk_update_markdown)]).toEqual([false, false, false]);
  });

  it.each(definitions)('$name has a schema that can be enforced', ({ inputSchema }) => expect(schemaProblem(inputSchema)).toBeUndefined());
});
