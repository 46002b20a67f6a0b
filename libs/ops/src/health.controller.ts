import { Controller, Get, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { ApiResponse } from '@nestjs/swagger';
import { Pool } from 'pg';
import { Public } from '@app/http';
import { ProjectionsControl } from '@app/projections';
import { z } from 'zod';

const Health = z.object({ status: z.enum(['ok', 'unavailable']), reasons: z.array(z.string()).optional() }).meta({ id: 'Health' });

/** A read model that moves is called caught up although it is this far behind: at 1 000 events/s it is 0.1 s. */
const TOLERATED_LAG = 100n;
const PROBE_MS = 2_000;

@Controller('health')
export class HealthController {
  constructor(
    private readonly pool: Pool,
    private readonly control: ProjectionsControl,
  ) {}

  /** The process is up. */
  @Get('live')
  @Public()
  @ApiResponse({ status: 200, description: 'Alive', standardSchema: Health })
  live() {
    return { status: 'ok' };
  }

  /** 200 only when the log takes writes and every read model has caught up; else 503 with the reasons. */
  @Get('ready')
  @Public()
  @ApiResponse({ status: 200, description: 'Ready', standardSchema: Health })
  @ApiResponse({ status: 503, description: 'Not ready', standardSchema: Health })
  async ready(@Res({ passthrough: true }) reply: FastifyReply) {
    const late = new Promise<string[]>((settle) => setTimeout(settle, PROBE_MS, ['the database does not answer']).unref());
    const reasons = await Promise.race([this.reasons(), late]).catch(() => ['the database does not answer']);
    if (reasons.length === 0) return { status: 'ok' };
    void reply.status(503).header('retry-after', '1');
    return { status: 'unavailable', reasons };
  }

  private async reasons(): Promise<string[]> {
    const { rows } = await this.pool.query<{ writable: boolean }>(
      `SELECT NOT pg_is_in_recovery() AND current_setting('transaction_read_only') = 'off' AS writable`,
    );
    const behind = (await this.control.status()).filter(({ state, lagEvents }) => {
      if (state === 'stopped') return true;
      return lagEvents > (state === 'paused' ? 0n : TOLERATED_LAG);
    });
    return [...(rows[0]?.writable ? [] : ['the log is not writable']), ...behind.map(({ name, lagEvents }) => `${name} is ${lagEvents} events behind`)];
  }
}
