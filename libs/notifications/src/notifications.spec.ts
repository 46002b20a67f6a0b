import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Recorded } from '@app/kernel';
import fc from 'fast-check';
import { deliveriesOf, endOfQuiet } from './deliver/routing.policy';
import { notificationOf } from './notification.policy';
import { KINDS, type Notification } from './notification.schema';
import { mailOf, pushOf, slackCardOf, webhookBodyOf } from './sinks/card';
import { changeChannels } from './settings/change-settings.decide';
import type { NotifySettings } from './settings/settings.state';

const sample = (type: string, more: object = {}): Recorded => ({
  position: 1n, streamId: `x-${type}`, version: 1, eventId: 'e', type, schemaVersion: 1, siteId: 'site_a', occurredAt: '2030-01-01T10:00:00.000Z', chain: { leaf: '', batch: '' },
  data: { ...(JSON.parse(readFileSync(join(import.meta.dirname, '../../../test/corpus', `${type}.v1.json`), 'utf8')) as object), ...more },
  metadata: { actor: { kind: 'agent', id: 'key_a' }, correlationId: 'c', commandId: 'd' },
}) as unknown as Recorded;
const NOW = new Date('2030-01-01T10:00:00.000Z');
const person = { principalId: 'key_ada', sealedEmail: 'v1.x', kinds: { email: ['approval' as const], push: [...KINDS] }, quietHours: null, digestMinutes: null, subscriptions: { phone: 'v1.y' } };
const site = (more: Partial<NotifySettings> = {}): NotifySettings => ({ channels: [], people: {}, ...more });
const news: Notification = { id: 'appr_1', siteId: 'site_a', kind: 'approval', title: 'Approval needed: refund', text: 'Asked by Writer.', runId: 'run_1', deadline: null, at: NOW.toISOString() };

describe('What is told', () => {
  it('[NOTIFY-001] a created approval, of kind approval; one that a staged change asks by itself is told as that change', () => {
    expect(notificationOf(sample('ApprovalRequested', { kind: 'tool_call' }))).toMatchObject({ kind: 'approval' });
    expect(notificationOf(sample('ApprovalRequested', { kind: 'veto' }))).toBeNull();
  });

  it('[NOTIFY-002] a staging, of kind veto with the commit deadline', () => {
    expect(notificationOf(sample('ChangeStaged', { autoCommitAt: '2030-01-02T00:00:00.000Z' }))).toMatchObject({ kind: 'veto', deadline: '2030-01-02T00:00:00.000Z', text: expect.stringContaining('2030-01-02T00:00:00.000Z') });
  });

  it('[NOTIFY-003] an incident of severity medium or high, and none of severity low', () => {
    const told = (severity: string) => notificationOf(sample('IncidentOpened', { severity }))?.kind;
    expect([told('low'), told('medium'), told('high')]).toEqual([undefined, 'incident', 'incident']);
  });

  it('an incident with the levels that fell by it', () => {
    expect(notificationOf(sample('IncidentOpened', { severity: 'high', demoted: [{ agentRole: 'Writer', capability: 'items:update', from: 3, to: 1 }] }))?.text).toContain('Writer fell from level 3 to 1 for items:update');
  });

  it('[NOTIFY-004] a run that succeeded or failed', () => {
    expect([notificationOf(sample('RunSucceeded'))?.title, notificationOf(sample('RunFailed'))?.title]).toEqual(['A run succeeded', 'A run failed']);
  });

  it('a file that an agent put on a desk, and none that a person put there', () => {
    const created = sample('DeskFileCreated');
    const by = (kind: 'agent' | 'human') => notificationOf({ ...created, metadata: { ...created.metadata, actor: { kind, id: 'key_a' } } })?.kind;
    expect([by('agent'), by('human')]).toEqual(['desk', undefined]);
  });

  it('[NOTIFY-020] never the arguments of a call, in no card, whatever they are', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 12, unit: fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZ') }), (secret) => {
        const told = [sample('ApprovalRequested', { kind: 'tool_call', arguments: { note: secret }, subject: secret }), sample('ChangeStaged', { patch: { note: secret }, before: { note: secret } })].map((event) => ({ notification: notificationOf(event)!, links: [{ label: 'Approve', url: 'https://h.example' }] }));
        const cards = told.flatMap((part) => [mailOf([part]), slackCardOf(part), pushOf(part), webhookBodyOf(part)]);
        expect(JSON.stringify([cards, mailOf(told)])).not.toContain(secret);
      }),
      { numRuns: 100 },
    );
  });
});

describe('Where it goes', () => {
  it('[NOTIFY-016] to each person by the kinds that they chose for each sink', () => {
    const settings = site({ people: { ada: { ...person, kinds: { email: ['approval'], push: ['veto'] } }, bob: { ...person, kinds: { email: [], push: ['approval'] } } } });
    const to = (kind: Notification['kind']) => deliveriesOf({ ...news, kind }, settings, NOW).map(({ target }) => `${'personId' in target ? target.personId : ''} ${target.sink}`);
    expect([to('approval'), to('veto'), to('run')]).toEqual([['ada email', 'bob push'], ['ada push'], []]);
  });

  it('[NOTIFY-017] after the quiet hours of the person, when it comes in them, and loses nothing', () => {
    const quietHours = { from: '22:00', to: '07:00', timeZone: 'Europe/Berlin' };
    const at = (time: string) => deliveriesOf(news, site({ people: { ada: { ...person, quietHours } } }), new Date(time)).map(({ notBefore }) => notBefore.toISOString());
    expect(at('2030-01-01T22:30:00.000Z')).toEqual(['2030-01-02T06:00:00.000Z', '2030-01-02T06:00:00.000Z']);
    expect(at('2030-01-01T20:59:59.000Z')).toEqual(['2030-01-01T20:59:59.000Z', '2030-01-01T20:59:59.000Z']);
  });

  it('never in quiet hours, at any time, in any zone, and at most a day and an hour later', () => {
    const clock = fc.tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 })).map(([hour, minute]) => `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`);
    const zone = fc.constantFrom('Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'UTC');
    fc.assert(
      fc.property(clock, clock, zone, fc.date({ min: new Date('2027-01-01'), max: new Date('2029-01-01'), noInvalidDate: true }), (from, to, timeZone, now) => {
        fc.pre(from !== to);
        const end = endOfQuiet({ from, to, timeZone }, now);
        const wall = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(end);
        expect(from < to ? wall >= from && wall < to : wall >= from || wall < to).toBe(false);
        expect(end.getTime() - now.getTime()).toBeLessThanOrEqual(25 * 3_600_000);
        expect(end.getTime()).toBeGreaterThanOrEqual(Math.floor(now.getTime() / 60_000) * 60_000);
      }),
      { numRuns: 300 },
    );
  });

  it('into a digest at the same moment as all else of that time', () => {
    const settings = site({ people: { ada: { ...person, digestMinutes: 60, subscriptions: {} } } });
    const due = (time: string) => deliveriesOf(news, settings, new Date(time)).map(({ notBefore, collected }) => [notBefore.toISOString(), collected]);
    expect(due('2030-01-01T10:00:00.000Z')).toEqual([['2030-01-01T11:00:00.000Z', true]]);
    expect(due('2030-01-01T10:59:59.999Z')).toEqual([['2030-01-01T11:00:00.000Z', true]]);
  });

  it('goes to channels whose addresses hold no secret, but perhaps the name of one', () => {
    const put = (url: string) => changeChannels(site(), [{ name: 'ops', type: 'webhook', url, kinds: [...KINDS] }], { now: NOW });
    expect(put('https://hooks.example/secret://path')).toMatchObject({ ok: true });
    for (const url of ['https://ada:pw@hooks.example/', 'https://hooks.example/?access_token=abcdef'])
      expect(put(url)).toMatchObject({ ok: false, rejection: { code: 'VALIDATION_FAILED', facts: { errors: [{ pointer: '/channels/0/url', detail: expect.stringContaining('secret://name') }] } } });
  });

  it('has the same ids whenever it is looked at again', () => {
    const settings = site({ channels: [{ name: 'ops', type: 'slack', url: 'https://x.example', kinds: [...KINDS] }], people: { ada: person } });
    const ids = (now: Date) => deliveriesOf(news, settings, now).map(({ deliveryId }) => deliveryId);
    expect(ids(new Date(0))).toEqual(ids(NOW));
    expect(new Set(ids(NOW)).size).toBe(3);
  });
});
