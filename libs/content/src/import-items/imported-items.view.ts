import { z } from 'zod';

export const ImportedItems = z.object({ collection: z.string(), created: z.int() }).meta({ id: 'ImportedItems' });
export type ImportedItems = Readonly<z.infer<typeof ImportedItems>>;
