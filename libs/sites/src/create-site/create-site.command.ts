import { Command, type Context, type Outcome, type Principal } from '@app/kernel';
import { z } from 'zod';

export const CreateSiteBody = z.strictObject({ name: z.string().trim().min(1).max(200) }).meta({ id: 'CreateSite' });
export type CreateSiteBody = z.infer<typeof CreateSiteBody>;

/** `adminKey` is shown in the first answer and never again: a repetition holds null and a notice. */
export const CreatedSite = z.object({ siteId: z.string(), adminKey: z.string().nullable(), notice: z.string().optional() }).meta({ id: 'CreatedSite' });
export type CreatedSite = z.infer<typeof CreatedSite>;

/** The first start of a server: the site's id, and the key to use (undefined: a new one). Its holder may create further sites. */
export type FirstSite = { readonly siteId: string; readonly adminKey?: string | undefined };

export class CreateSite extends Command<Outcome<CreatedSite>> {
  constructor(
    readonly body: CreateSiteBody,
    readonly context: Context,
    readonly by: Principal | FirstSite,
  ) {
    super();
  }
}
