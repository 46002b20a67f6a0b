import { readFileSync } from 'node:fs';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { servePage } from '@app/http';

const page = readFileSync(new URL('./studio.html', import.meta.url), 'utf8');

/** The reviewer's inbox: pending approvals with what they would change, to approve or reject. */
export const serveStudio = (app: NestFastifyApplication): void => servePage(app, '/studio', page);
