import { z } from 'zod';
import { Name } from './field.schema';

/** The values of a text field are ids of items of another collection. `name` is unique within the collection that holds the field. */
export const Relation = z.strictObject({ name: Name, from: Name, field: Name, to: Name }).meta({ id: 'Relation' });
export type Relation = Readonly<z.infer<typeof Relation>>;

export const MAX_RELATIONS = 50;
