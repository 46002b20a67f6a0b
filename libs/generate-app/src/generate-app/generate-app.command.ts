import { ArtifactView, EvaluationView } from '@app/artifacts/contract';
import { Name } from '@app/content/contract';
import { Command, type Context, type Outcome, type Principal } from '@app/kernel';
import { z } from 'zod';

export const TEMPLATES = ['ecommerce'] as const;
export const APP_PARTS = ['page_spec', 'component_spec', 'seed_data', 'api_spec'] as const;
export type AppPart = (typeof APP_PARTS)[number];

/**
 * `collections` says what products, orders and customers are called on this site. `writer`: a model where one is configured, else the template;
 * `template` never asks a model.
 */
export const GenerateAppBody = z.strictObject({
  template: z.enum(TEMPLATES),
  name: z.string().trim().min(1).max(100).optional(),
  collections: z.strictObject({ products: Name, orders: Name, customers: Name }).partial().optional(),
  writer: z.enum(['template', 'model']).optional(),
}).meta({ id: 'GenerateApp' });
export type GenerateAppBody = z.infer<typeof GenerateAppBody>;

/** What was read; a part that the caller may not read was left out and is named in `withheld`. */
const ContextRead = z.object({
  collections: z.array(z.string()).readonly(), policies: z.array(z.string()).readonly(), memories: z.array(z.string()).readonly(), withheld: z.array(z.string()).readonly(),
});

export const GeneratedApp = z.object({
  goalId: z.string().nullable(),
  runId: z.string(),
  template: z.enum(TEMPLATES),
  writer: z.enum(['template', 'model']),
  model: z.string().nullable(),
  context: ContextRead,
  artifacts: z.array(ArtifactView.extend({ evaluations: z.array(EvaluationView).readonly() })).readonly(),
}).meta({ id: 'GeneratedApp' });
export type GeneratedApp = Readonly<z.infer<typeof GeneratedApp>>;

export type GenerateAppStep = 'open' | 'end' | AppPart | `evaluate-${AppPart}`;

/** Drafts an app as four artifacts, and changes nothing else. With `runId` they belong to that run, else to one that is opened for them. */
export class GenerateApp extends Command<Outcome<GeneratedApp>> {
  constructor(
    readonly body: GenerateAppBody,
    readonly principal: Principal,
    readonly contextFor: (step: GenerateAppStep) => Context,
    readonly runId?: string,
  ) {
    super();
  }
}
