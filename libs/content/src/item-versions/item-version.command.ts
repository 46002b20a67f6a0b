import { Command, Query, type Context, type Outcome } from '@app/kernel';
import { z } from 'zod';
import { Name } from '../field.schema';
import type { ItemView } from '../item-list/item.view';
import { GivenProvenance } from '../item-provenance/provenance.policy';
import type { GoneVersion, ItemVersionViews, VersionComparison, WrittenVersionView } from './item-version.view';

const ofItem = { collection: Name, id: z.string().max(100) };
const ifMatch = z.int().min(0).optional().describe('Only if the item still has this version');
const data = z.record(z.string(), z.unknown()).describe('Values to be; null takes an optional one away');

export const ListVersionsInput = z.strictObject(ofItem).meta({ id: 'ListVersions' });
export type ListVersionsInput = z.infer<typeof ListVersionsInput>;
export const CompareVersionInput = z.strictObject({ ...ofItem, name: Name }).meta({ id: 'CompareVersion' });
export type CompareVersionInput = z.infer<typeof CompareVersionInput>;
export const CreateVersionBody = z.strictObject({ ...ofItem, name: Name, data: data.optional(), ifMatch }).meta({ id: 'CreateVersion' });
export type CreateVersionBody = z.infer<typeof CreateVersionBody>;
export const UpdateVersionBody = z.strictObject({ ...ofItem, name: Name, data, ifMatch }).meta({ id: 'UpdateVersion' });
export type UpdateVersionBody = z.infer<typeof UpdateVersionBody>;
export const PromoteVersionBody = z.strictObject({ ...ofItem, name: Name, provenance: GivenProvenance.optional(), ifMatch }).meta({ id: 'PromoteVersion' });
export type PromoteVersionBody = z.infer<typeof PromoteVersionBody>;
export const DeleteVersionBody = z.strictObject({ ...ofItem, name: Name, ifMatch }).meta({ id: 'DeleteVersion' });
export type DeleteVersionBody = z.infer<typeof DeleteVersionBody>;

/** The open versions of an item by name, as the log has them now. */
export class ListVersions extends Query<Outcome<ItemVersionViews>> {
  constructor(readonly input: ListVersionsInput, readonly context: Pick<Context, 'siteId'>) {
    super();
  }
}

/** What promoting a version would change, as the log has the item now. */
export class CompareVersion extends Query<Outcome<VersionComparison>> {
  constructor(readonly input: CompareVersionInput, readonly context: Pick<Context, 'siteId'>) {
    super();
  }
}

export class CreateVersion extends Command<Outcome<WrittenVersionView>> {
  constructor(readonly body: CreateVersionBody, readonly context: Context) {
    super();
  }
}

/** Adds to what a version changes; a field that it changes already gets the new value. */
export class UpdateVersion extends Command<Outcome<WrittenVersionView>> {
  constructor(readonly body: UpdateVersionBody, readonly context: Context) {
    super();
  }
}

/** Makes what a version changes live, in one revision, and ends the version. */
export class PromoteVersion extends Command<Outcome<ItemView>> {
  constructor(readonly body: PromoteVersionBody, readonly context: Context) {
    super();
  }
}

export class DeleteVersion extends Command<Outcome<GoneVersion>> {
  constructor(readonly body: DeleteVersionBody, readonly context: Context) {
    super();
  }
}
