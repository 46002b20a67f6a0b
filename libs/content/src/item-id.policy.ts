const ITEM_ID = /^item_[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/;

/** Whether a text can be an item's id at all. Any other text names no stream and is never looked up. */
export const isItemId = (id: string) => ITEM_ID.test(id);
