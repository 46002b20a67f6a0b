import { Module } from '@nestjs/common';
import { AddFieldController } from './add-field/add-field.controller';
import { AddFieldHandler } from './add-field/add-field.handler';
import { ListCollectionsController } from './collection-list/list-collections.controller';
import { ListCollectionsHandler } from './collection-list/list-collections.handler';
import { ChangeCollectionController } from './change-collection/change-collection.controller';
import { DeleteCollectionHandler, UpdateCollectionHandler } from './change-collection/change-collection.handlers';
import { ChangeFieldController } from './change-field/change-field.controller';
import { DeleteFieldHandler, UpdateFieldHandler } from './change-field/change-field.handlers';
import { CollectionReader } from './collection-reader';
import { CollectionWriter } from './collection-writer';
import { CreateCollectionController } from './create-collection/create-collection.controller';
import { CreateCollectionHandler } from './create-collection/create-collection.handler';
import { CreateItemController } from './create-item/create-item.controller';
import { CreateItemHandler } from './create-item/create-item.handler';
import { CreateItemsHandler } from './create-items/create-items.handler';
import { DeleteItemController } from './delete-item/delete-item.controller';
import { DeleteItemHandler } from './delete-item/delete-item.handler';
import { ExplainEditController } from './explain-edit/explain-edit.controller';
import { ExplainEditHandler } from './explain-edit/explain-edit.handler';
import { ExportItemsController } from './export-items/export-items.controller';
import { ExportItemsHandler } from './export-items/export-items.handler';
import { GetCollectionController } from './get-collection/get-collection.controller';
import { GetCollectionHandler } from './get-collection/get-collection.handler';
import { GetItemController } from './get-item/get-item.controller';
import { GetItemHandler } from './get-item/get-item.handler';
import { ImportItemsController } from './import-items/import-items.controller';
import { ItemImport } from './import-items/item-import';
import { InspectItemHandler } from './inspect-item/inspect-item.handler';
import { CollectionChanges } from './item-changes/collection-changes';
import { ItemChangesController } from './item-changes/item-changes.controller';
import { GetPinsController } from './item-pins/get-pins.controller';
import { GetPinsHandler } from './item-pins/get-pins.handler';
import { ItemPages } from './item-list/item-pages';
import { ListItemsController } from './item-list/list-items.controller';
import { ListItemsHandler } from './item-list/list-items.handler';
import { ListRevisionsController } from './item-revisions/list-revisions.controller';
import { ListRevisionsHandler } from './item-revisions/list-revisions.handler';
import { CreateVersionHandler, DeleteVersionHandler, PromoteVersionHandler, UpdateVersionHandler } from './item-versions/item-version.handlers';
import { ItemVersionsController } from './item-versions/item-versions.controller';
import { CompareVersionHandler, ListVersionsHandler } from './item-versions/version-queries';
import { ItemWriter } from './item-writer';
import { PinFieldsController } from './pin-fields/pin-fields.controller';
import { PinFieldsHandler } from './pin-fields/pin-fields.handler';
import { Referrers } from './relations/referrers';
import { CreateRelationHandler, DeleteRelationHandler, ListRelationsHandler } from './relations/relation.handlers';
import { RelationWriter } from './relations/relation-writer';
import { RelationsController } from './relations/relations.controller';
import { ReleasePinsController } from './release-pins/release-pins.controller';
import { ReleasePinsHandler } from './release-pins/release-pins.handler';
import { RestoreRevisionController } from './restore-revision/restore-revision.controller';
import { RestoreRevisionHandler } from './restore-revision/restore-revision.handler';
import { RevisionReader } from './revision-reader';
import { UpdateItemController } from './update-item/update-item.controller';
import { UpdateItemHandler } from './update-item/update-item.handler';

/** Collections and items. The application provides `EventStore`, `Executor`, `ReadModels` and `Bus`. */
@Module({
  controllers: [
    CreateCollectionController,
    ListCollectionsController,
    GetCollectionController,
    AddFieldController,
    CreateItemController,
    ListItemsController,
    GetItemController,
    UpdateItemController,
    DeleteItemController,
    ListRevisionsController,
    GetPinsController,
    PinFieldsController,
    ReleasePinsController,
    ChangeCollectionController,
    ChangeFieldController,
    RelationsController,
    RestoreRevisionController,
    ItemVersionsController,
    ExplainEditController,
    ExportItemsController,
    ImportItemsController,
    ItemChangesController,
  ],
  providers: [
    CollectionWriter,
    CollectionReader,
    ItemWriter,
    CreateCollectionHandler,
    ListCollectionsHandler,
    GetCollectionHandler,
    AddFieldHandler,
    CreateItemHandler,
    ListItemsHandler,
    GetItemHandler,
    UpdateItemHandler,
    DeleteItemHandler,
    ListRevisionsHandler,
    GetPinsHandler,
    InspectItemHandler,
    PinFieldsHandler,
    ReleasePinsHandler,
    UpdateCollectionHandler,
    DeleteCollectionHandler,
    UpdateFieldHandler,
    DeleteFieldHandler,
    RelationWriter,
    Referrers,
    ListRelationsHandler,
    CreateRelationHandler,
    DeleteRelationHandler,
    RevisionReader,
    RestoreRevisionHandler,
    ListVersionsHandler,
    CompareVersionHandler,
    CreateVersionHandler,
    UpdateVersionHandler,
    PromoteVersionHandler,
    DeleteVersionHandler,
    ItemPages,
    CreateItemsHandler,
    ExplainEditHandler,
    ExportItemsHandler,
    ItemImport,
    CollectionChanges,
  ],
  exports: [CollectionChanges],
})
export class ContentModule {}
