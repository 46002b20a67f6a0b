export { AddField, AddFieldBody } from './add-field/add-field.command';
export type { Patterns } from './field.policy';
export { collection, collectionId, type Collection } from './collection.state';
export { CollectionView } from './collection-list/collection.view';
export { ListCollections, ListCollectionsInput } from './collection-list/list-collections.query';
export { collectionEvents, type CollectionEvent } from './collection.events';
export { CreateCollection, CreateCollectionBody } from './create-collection/create-collection.command';
export { CreateItem, CreateItemBody } from './create-item/create-item.command';
export { CreateItems, CreatedItems, CreateItemsBody } from './create-items/create-items.command';
export { ExplainEdit, ExplainEditBody, ExplainedEdit } from './explain-edit/explain-edit.command';
export type { ImportedItems } from './import-items/imported-items.view';
export { DeletedItem, DeleteItem, DeleteItemBody } from './delete-item/delete-item.command';
export { Constraints, Field, FIELD_TYPES, Name } from './field.schema';
export { GetCollection, GetCollectionInput } from './get-collection/get-collection.query';
export { GetItem, GetItemInput } from './get-item/get-item.query';
export { InspectItem, type InspectedItem } from './inspect-item/inspect-item.query';
export { GetPins } from './item-pins/get-pins.query';
export { ItemPin, ItemPins } from './item-pins/item-pin.view';
export { ItemView } from './item-list/item.view';
export { ItemCondition, ListItems, ListItemsInput } from './item-list/list-items.query';
export { FieldChange, ItemRevisionView } from './item-revisions/item-revision.view';
export { ListRevisions, ListRevisionsInput } from './item-revisions/list-revisions.query';
export { itemEvents, type ItemData, type ItemEvent } from './item.events';
export { item, type Item } from './item.state';
export type { Listed } from './listed.view';
export { isPersonsOwn, pinnedAmong } from './pin.policy';
export { PinFields, PinFieldsBody } from './pin-fields/pin-fields.command';
export { ReleasePins } from './release-pins/release-pins.command';
export { UpdateItem, UpdateItemBody } from './update-item/update-item.command';
export { decideUpdateItem } from './update-item/update-item.decide';
export {
  DeleteCollection, DeleteCollectionBody, GoneCollection, UpdateCollection, UpdateCollectionBody,
} from './change-collection/change-collection.command';
export { DeleteField, DeleteFieldBody, UpdateField, UpdateFieldBody } from './change-field/change-field.command';
export type { ItemProvenance } from './item-list/item.view';
export {
  CompareVersion, CompareVersionInput, CreateVersion, CreateVersionBody, DeleteVersion, DeleteVersionBody, ListVersions, ListVersionsInput, PromoteVersion, PromoteVersionBody,
  UpdateVersion, UpdateVersionBody,
} from './item-versions/item-version.command';
export type { GoneRelation } from './relations/relation.command';
export type { GoneVersion, ItemVersionView, VersionComparison, WrittenVersionView } from './item-versions/item-version.view';
export { Relation } from './relation.schema';
export { CreateRelation, CreateRelationBody, DeleteRelation, DeleteRelationBody, ListRelations, ListRelationsInput } from './relations/relation.command';
export { RestoreRevision, RestoreRevisionBody } from './restore-revision/restore-revision.command';
