import { z } from 'zod';

/** What is told of: a question to people, a staged change, an incident of some weight, the end of a run, the end of a goal with parts, a file that an agent put on a desk. */
export const KINDS = ['approval', 'veto', 'incident', 'run', 'goal', 'desk'] as const;
export type Kind = (typeof KINDS)[number];

/**
 * What is told outside of the product. Never the arguments of a call: chat channels, mail boxes and lock screens are read by others. `id` is the id of what it is
 * about. `deadline` is when silence decides.
 */
export const Notification = z.object({
  id: z.string(),
  siteId: z.string(),
  kind: z.enum(KINDS),
  title: z.string(),
  text: z.string(),
  runId: z.string().nullable(),
  deadline: z.string().nullable(),
  at: z.string(),
}).meta({ id: 'Notification' });
export type Notification = Readonly<z.infer<typeof Notification>>;
