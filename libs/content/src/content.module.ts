import { Module } from '@nestjs/common';
import { AddFieldController } from './add-field/add-field.controller';
import { AddFieldHandler } from './add-field/add-field.handler';
import { ListCollectionsController } from './collection-list/list-collections.controller';
import { ListCollectionsHandler } from './collection-list/list-collections.handler';
import { CollectionReader } from './collection-reader';
import { CollectionWriter } from './collection-writer';
import { CreateCollectionController } from './create-collection/create-collection.controller';
import { CreateCollectionHandler } from './create-collection/create-collection.handler';
import { CreateItemController } from './create-item/create-item.controller';
import { CreateItemHandler } from './create-item/create-item.handler';
import { DeleteItemController } from './delete-item/delete-item.controller';
import { DeleteItemHandler } from './delete-item/delete-item.handler';
import { GetCollectionController } from './get-collection/get-collection.controller';
import { GetCollectionHandler } from './get-collection/get-collection.handler';
import { GetItemController } from './get-item/get-item.controller';
import { GetItemHandler } from './get-item/get-item.handler';
import { InspectItemHandler } from './inspect-item/inspect-item.handler';
import { GetPinsController } from './item-pins/get-pins.controller';
import { GetPinsHandler } from './item-pins/get-pins.handler';
import { ListItemsController } from './item-list/list-items.controller';
import { ListItemsHandler } from './item-list/list-items.handler';
import { ListRevisionsController } from './item-revisions/list-revisions.controller';
import { ListRevisionsHandler } from './item-revisions/list-revisions.handler';
import { ItemWriter } from './item-writer';
import { PinFieldsController } from './pin-fields/pin-fields.controller';
import { PinFieldsHandler } from './pin-fields/pin-fields.handler';
import { ReleasePinsController } from './release-pins/release-pins.controller';
import { ReleasePinsHandler } from './release-pins/release-pins.handler';
import { UpdateItemController } from './update-item/update-item.controller';
import { UpdateItemHandler } from './update-item/update-item.handler';

/** Collections and items. The application provides `Executor`, `ReadModels` and `Bus`. */
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
  ],
})
export class ContentModule {}
