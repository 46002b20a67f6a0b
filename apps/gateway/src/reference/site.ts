import type { ReferenceTexts } from '@app/http';
import { AT, id, PUSH_KEY } from './ids';

type Operations = ReferenceTexts['operations'];

const ISSUED = { id: id('key'), key: 'hk_shown-once-and-kept-by-nobody-here' };

/** Sites, who may do what on them, and who is told. */
export const site: Operations = {
  sitesCreate: { summary: 'Creates a site with its first admin key', body: { name: 'Tea shop' } },
  apiKeysIssue: { summary: 'Issues a key; the answer alone shows it', body: { name: 'tidy-bot', kind: 'agent', capabilities: ['items:read', 'items:update'], agentRole: 'Writer', expiresAt: AT }, answer: ISSUED },
  apiKeysList: { summary: 'Lists keys without their secrets' },
  apiKeysChange: { summary: 'Changes what a key may do', body: { capabilities: ['items:read'] } },
  apiKeysRotate: { summary: 'Gives a key a new secret', answer: ISSUED },
  apiKeysRevoke: { summary: 'Revokes a key for ever' },
  usersList: { summary: 'Lists people of the site' },
  usersInvite: { summary: 'Invites a person', body: { email: 'cleo@shop.example', name: 'Cleo', capabilities: ['approvals:decide'] } },
  usersGet: { summary: 'Shows a person' },
  usersChange: { summary: 'Changes the name or the rights of a person', body: { name: 'Cleo C.' } },
  usersRemove: { summary: 'Removes a person with all keys' },
  notificationsList: { summary: 'Lists notifications, newest first' },
  notificationsStream: { summary: 'Sends notifications as they come up', answer: `id: 4711\nevent: approval\ndata: {"kind":"approval","subjectId":"${id('appr')}"}\n\n` },
  notificationSettingsPreferences: { summary: "Shows one's own preferences" },
  notificationSettingsPutPreferences: { summary: "Sets one's own preferences", body: { email: 'ada@shop.example', kinds: { email: ['incident'], push: ['approval', 'veto'] }, digestMinutes: 60 } },
  notificationSettingsPushKey: { summary: 'Shows the key that browsers subscribe with' },
  notificationSettingsSubscribe: { summary: 'Subscribes a browser to push messages', body: { endpoint: 'https://push.shop.example/1', keys: { p256dh: PUSH_KEY, auth: 'BTBZMqHH6r4Tts7J_aSIgg' } } },
  notificationSettingsUnsubscribe: { summary: 'Ends the subscription of a browser' },
  notificationSettingsChannels: { summary: 'Shows the channels of the site' },
  notificationSettingsPutChannels: { summary: 'Sets all channels of the site', body: { channels: [{ name: 'ops', type: 'webhook', url: 'https://hooks.shop.example/harness', kinds: ['approval', 'incident'], secret: 'secret://hooks' }] } },
  deliveriesList: { summary: 'Lists attempts to tell somebody' },
  deliveriesReplay: { summary: 'Sends a message that failed once more' },
  subscriptionsList: { summary: 'Lists subscriptions to the log' },
  subscriptionsCreate: { summary: 'Subscribes a webhook to the log', body: { name: 'Search index', target: { type: 'webhook', url: 'https://index.shop.example/events' }, types: ['ItemCreated', 'ItemPatched'] } },
  subscriptionsGet: { summary: 'Shows how far a subscription is' },
  subscriptionsReplay: { summary: 'Sends the log again from a position', body: { fromPosition: '1' } },
  subscriptionsRemove: { summary: 'Ends a subscription' },
  deploymentsTargets: { summary: 'Lists deploy hooks' },
  deploymentsList: { summary: 'Lists deployments, newest first' },
  deploymentsTrigger: { summary: 'Calls a deploy hook', body: { target: 'shop', reason: 'New prices', parameters: { branch: 'main' } }, answer: { status: 'triggered', reason: 'New prices', answer: null, durationMs: null, endedAt: null, attempts: 0 } },
  deploymentsGet: { summary: 'Shows a deployment' },
};
