import type { ReferenceTexts } from '@app/http';
import { areas } from './areas';
import { content } from './content';
import { decisions } from './decisions';
import { history } from './history';
import { rules } from './rules';
import { site } from './site';
import { values } from './values';
import { work } from './work';

/**
 * What the reference says that no schema holds: a sentence and examples for every operation. They stand together, and not at the routes,
 * because people read them as one text, and because the examples tell one story.
 */
export const reference: ReferenceTexts = { operations: { ...work, ...decisions, ...content, ...rules, ...site, ...history }, areas, values };
