import type { SessionKind } from '../../shared/access/person.ts'
import type { ConfirmationProof } from '../../shared/console/people/people.ts'
import { Refusal } from '../catalog/errors.ts'

export interface CallerSession {
  readonly id: string
  readonly kind: SessionKind
  /** Whether it is one of the command line that was granted accounts, and keys that bypass approvals, at its sign-in. */
  readonly managesPeople: boolean
  /** Throws `confirmation_needed` unless the person has confirmed lately that it is them. */
  requireConfirmed(): Promise<void>
  /** Confirms that. Throws `current_password_wrong`, `second_factor_wrong` and `too_many_attempts`. */
  confirm(proof: ConfirmationProof): Promise<void>
}

/** Any session of the command line reaches these. `keys.mint` asks for more if the key bypasses approvals. */
const OPEN_TO_TOKENS = [
  ...['apps.list', 'apps.create', 'apps.setProving', 'apps.setFreezes'],
  ...['channels.create', 'channels.policy', 'channels.setPolicy'],
  ...['keys.list', 'keys.mint', 'keys.revoke'],
  ...['releases.publish', 'releases.changeServing', 'releases.prove', 'releases.proof'],
  ...['releases.cancelProof', 'releases.checkVersion', 'releases.preflight'],
  ...['plans.get', 'plans.set', 'plans.suspend', 'plans.resume', 'plans.remove', 'plans.forecast'],
  ...['drafts.list', 'drafts.get', 'drafts.put', 'drafts.publish', 'drafts.discard'],
  ...['devices.forget'],
  ...['webhooks.list', 'webhooks.delivery', 'webhooks.create', 'webhooks.setDisabled'],
  ...['webhooks.remove', 'webhooks.test'],
  ...['session.me'],
  ...['commandLine.releases', 'commandLine.release', 'commandLine.adoption', 'releases.health'],
  ...['commandLine.device', 'commandLine.explain', 'commandLine.fleet'],
] as const

/** A stolen cookie must not reach these: they change who can do what, or hand out all data. */
const CONFIRMED = [
  ...['people.invite', 'people.createLink', 'people.setAccess', 'people.setDisabled'],
  ...['people.remove', 'people.resetTwoFactor'],
  ...['backups.now', 'backups.nowWithFiles', 'backups.createDownload', 'backups.restore'],
] as const

/** Any session of a browser reaches these, and of the command line those that manage people. */
const CONSOLE = [
  ...['overview.get'],
  ...['fleet.dashboard', 'fleet.colors', 'fleet.live'],
  ...['files.stored', 'files.list', 'files.find', 'files.begin', 'files.append', 'files.remove'],
  ...['files.uploads', 'files.removeUpload'],
  ...['releases.list', 'releases.get', 'releases.previous', 'releases.choices'],
  ...['releases.compare', 'releases.preview', 'releases.previewPublish', 'releases.failures'],
  ...['releases.followPreflight'],
  ...[
    'releases.downloads',
    'releases.measure',
    'releases.stop',
    'releases.undoStop',
    'releases.explainStop',
  ],
  ...['plans.expected', 'plans.recommended', 'plans.calendar'],
  ...['drafts.save', 'drafts.preview'],
  ...['devices.list', 'devices.get', 'devices.checkIns', 'devices.timeline', 'devices.explain'],
  ...['devices.export'],
  ...['apps.names', 'apps.rename', 'apps.setArchived', 'apps.remove', 'apps.connect'],
  ...['channels.approvers', 'channels.setEarlyAccess', 'channels.remove'],
  ...['changeRequests.list', 'changeRequests.pending', 'changeRequests.get'],
  ...['changeRequests.needed', 'changeRequests.preview', 'changeRequests.propose'],
  ...['changeRequests.applyChange', 'changeRequests.decline', 'changeRequests.withdraw'],
  ...['people.list', 'people.sessions', 'people.setEmail', 'people.endSessions'],
  ...['audit.list', 'audit.export'],
  ...['backups.status', 'backups.cancelFiles', 'backups.check', 'backups.checkUpload'],
  ...['backups.discardUpload', 'backups.restoreStatus', 'backups.inspect'],
  ...['webhooks.deliveries', 'webhooks.change', 'webhooks.rotateSecret', 'webhooks.redeliver'],
  ...['nodes.list'],
  ...['search.find'],
  ...['events.changes'],
  ...['status.get', 'status.about', 'status.settings'],
  ...['session.confirm'],
] as const

/** How a procedure is reached, beside the role that it needs. */
export type Reach = 'open_to_tokens' | 'confirmed' | 'console'

/** Every procedure of the console's router. One that is missing is reached by no token, and not without a confirmation. */
export const REACH: ReadonlyMap<string, Reach> = new Map<string, Reach>([
  ...OPEN_TO_TOKENS.map((path) => [path, 'open_to_tokens'] as const),
  ...CONFIRMED.map((path) => [path, 'confirmed'] as const),
  ...CONSOLE.map((path) => [path, 'console'] as const),
])

/** Throws `not_granted` or `confirmation_needed` if the session does not reach the procedure. Null, at the computer, reaches all. */
export async function requireReach(path: string, session: CallerSession | null): Promise<void> {
  const reach = REACH.get(path) ?? 'confirmed'
  if (session === null || reach === 'open_to_tokens') return
  if (session.kind === 'command_line' || reach === 'confirmed') await requireConfirmed(session)
}

/** The same for what needs a confirmation by its input. */
export async function requireConfirmed(session: CallerSession | null): Promise<void> {
  if (session === null) return
  if (session.kind === 'browser') await session.requireConfirmed()
  // What was granted at its sign-in was confirmed then: a script confirms nothing.
  else if (!session.managesPeople) throw new Refusal({ code: 'not_granted' })
}
