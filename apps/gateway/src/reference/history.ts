import type { ReferenceTexts } from '@app/http';
import { AT, id } from './ids';

type Operations = ReferenceTexts['operations'];

const EVENT = `{"position":"4711","streamId":"run-${id('run')}","type":"RunStarted","occurredAt":"${AT}"}`;
const METRICS = '# HELP harness_log_position Last position of the log\n# TYPE harness_log_position gauge\nharness_log_position 4711\n';
const ASK = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'getItem', arguments: { collection: 'products', id: id('item') } } } as const;
const SESSIONS = { summary: 'Answers 405: there are no sessions' };

/** What happened, proofs of it, decisions taken again, and how the installation is. */
export const history: Operations = {
  activityList: { summary: 'Lists what happened on the site, newest first' },
  auditEventsList: { summary: 'Lists events as they were written, newest first' },
  auditStreamStream: { summary: 'Sends events as they are appended', answer: `id: 4711\nevent: RunStarted\ndata: ${EVENT}\n\n` },
  auditExportGet: { summary: 'Exports events as JSON lines', answer: `${EVENT}\n` },
  auditProofGet: { summary: 'Gives the proof that an event is in the log' },
  auditCheckpointsList: { summary: 'Lists signed checkpoints, newest first' },
  auditCheckpointsSign: { summary: 'Signs the head of the log' },
  verifyLogVerify: { summary: 'Verifies the hash chain', answer: 'event: progress\ndata: {"verified":"4000","total":"4711"}\n\nevent: verdict\ndata: {"ok":true}\n\n' },
  snapshotGet: { summary: 'Shows the rules that a decision was taken under' },
  verifyDecisionsVerify: { summary: 'Takes recorded decisions again and compares', answer: 'event: progress\ndata: {"position":"4711"}\n\nevent: verdict\ndata: {"differing":0}\n\n' },
  atRun: { summary: 'Shows a run as it was at a moment' },
  atApproval: { summary: 'Shows an approval as it was at a moment' },
  atAutonomy: { summary: 'Shows autonomy as it was at a moment' },
  atGovernance: { summary: 'Shows the rules of the site as they were at a moment' },
  atStream: { summary: 'Shows any stream as it was at a moment' },
  projectionsList: { summary: 'Lists read models with lag and state' },
  projectionsRebuild: { summary: 'Rebuilds a read model beside the serving one' },
  projectionsCancel: { summary: 'Cancels a rebuild' },
  projectionsRollback: { summary: 'Serves the table of before the last rebuild again' },
  projectionsPause: { summary: 'Pauses a read model' },
  projectionsResume: { summary: 'Resumes a read model' },
  projectionsSkip: { summary: 'Passes over the event that a read model is stopped at', body: { position: '4711', reason: 'Its address was never valid' } },
  projectionsVerify: { summary: 'Compares a read model with the log' },
  queuesList: { summary: 'Lists queues with depth and failures' },
  parkedEventsList: { summary: 'Lists events that a consumer could not handle' },
  parkedEventsRetry: { summary: 'Has a parked event tried again at once' },
  deadLettersList: { summary: 'Lists jobs that failed for good' },
  deadLettersGet: { summary: 'Shows a failed job' },
  deadLettersRequeue: { summary: 'Gives a failed job another try' },
  deadLettersDiscard: { summary: 'Discards a failed job' },
  healthLive: { summary: 'Says that the process is up' },
  healthReady: { summary: 'Says whether the log takes writes and read models have caught up' },
  metricsScrape: { summary: 'Gives numbers for Prometheus', answer: METRICS },
  mcpPost: { summary: 'Takes a request of the Model Context Protocol', body: ASK, answer: { jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: 'Teapot' }] } } },
  mcpGet: SESSIONS,
  mcpDelete: SESSIONS,
};
