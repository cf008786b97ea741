import { z } from 'zod'
import { RestoredAccess } from '../../shared/access/restored-access.ts'
import { artifactTarget } from '../../shared/artifacts/target.ts'
import { CarriedOver } from '../../shared/console/settings/backups.ts'
import { ProofFailure } from '../../shared/files/proof.ts'
import { ReleaseStatus } from '../../shared/releases/release.ts'
import { Targets } from '../../shared/releases/targets.ts'
import { formatCounted, formatList, formatPercent } from '../../shared/wording/format.ts'
import { proofFailureSentence } from '../../shared/wording/proof.ts'
import { keptCounts } from '../components/strings.ts'
import { sentence } from '../components/text/sentence.ts'
import { inSentence, targetsInWords } from '../releases/targets/strings.ts'
import { type AuditEntry, type Change, type Words, whenRead } from './entry.ts'
import { changesOf, type PartChange } from './field-diff.ts'
import { PERSON_WORDS } from './person-strings.ts'
import {
  CHANGE_REQUEST_WORDS,
  DRAFT_WORDS,
  PLAN_WORDS,
  requestInWords,
  WEBHOOK_WORDS,
} from './subject-strings.ts'

/** Who did it: a key, an account of this machine, a person who signed in, or the server. */
export function actorInWords({ kind, name, keyPrefix }: AuditEntry['actor']): string {
  const words: Record<typeof kind, string> = {
    key: keyPrefix === undefined ? `API key ${name}` : `API key ${name} (${keyPrefix}…)`,
    command_line: `${name} on the command line`,
    console: `${name} in the console`,
    person: name,
    server: 'The server',
  }
  return words[kind]
}

const Serving = z.object({
  status: ReleaseStatus.optional(),
  rolloutPct: z.number().optional(),
  targets: Targets.optional(),
  requestedBy: z.string().optional(),
  awaitsProof: z.boolean().optional(),
})

const Published = z.object({
  rolloutPct: z.number(),
  awaitsProof: z.boolean().optional(),
  artifacts: z.number(),
  requestedBy: z.string().optional(),
})
const ProvenArtifact = z.object({ platform: z.string(), arch: z.string(), kind: z.string() })
const FailedArtifact = ProvenArtifact.extend({ failure: ProofFailure })
const Named = z.object({ name: z.string() })
const Key = z.object({ prefix: z.string(), name: z.string().optional() })
const Restored = z.object({
  offered: z.number(),
  releasesLost: z.number(),
  /** Null where the database that was replaced could not be read; entries from before it have none. */
  carriedOver: CarriedOver.nullish(),
  access: RestoredAccess.optional(),
})
const Channel = z.object({ releases: z.number() })
const App = z.object({ channels: z.array(Channel) })

const WORDS: Readonly<Record<string, Words>> = {
  'release.published': (_, after) =>
    whenRead(Published, after, ({ rolloutPct, artifacts, requestedBy, awaitsProof }) => {
      const files = formatCounted(artifacts, 'artifact')
      const paused = awaitsProof === true ? ', paused until proven' : ''
      return `Published at ${formatPercent(rolloutPct)} with ${files}${paused}.${requestInWords(requestedBy)}`
    }) ?? 'Published.',
  'release.serving_changed': servingInWords,
  'app.created': (_, after) => whenRead(Named, after, ({ name }) => `Created app ${name}.`),
  'app.renamed': (before, after) =>
    whenRead(Named, before, (from) =>
      whenRead(Named, after, (to) => `Renamed app from ${from.name} to ${to.name}.`),
    ),
  'app.proving_changed': (before, after) => {
    const parts = changesOf(before, after).map(({ name }) => name)
    return parts.length === 0 ? undefined : `Changed proof settings: ${formatList(parts)}.`
  },
  'artifact.failed': (_, after) =>
    whenRead(FailedArtifact, after, (artifact) => {
      const { failure } = artifact
      return `Artifact for ${artifactTarget(artifact)} not proven: ${proofFailureSentence(failure)}`
    }),
  'artifact.proven': (_, after) =>
    whenRead(ProvenArtifact, after, (artifact) => {
      return `Artifact for ${artifactTarget(artifact)} proven again.`
    }),
  'app.archived': () => 'Archived app: no longer served.',
  'app.restored': () => 'Restored app: served again.',
  'app.removed': (before) =>
    whenRead(App, before, ({ channels }) => {
      const releases = channels.reduce((sum, channel) => sum + channel.releases, 0)
      const deleted = [
        formatCounted(channels.length, 'channel'),
        formatCounted(releases, 'release'),
      ]
      return `Deleted app with ${formatList(deleted)}.`
    }),
  'channel.created': () => 'Created channel.',
  'channel.removed': (before) =>
    whenRead(Channel, before, ({ releases }) => {
      return `Deleted channel with ${formatCounted(releases, 'release')}.`
    }),
  'channel.policy_changed': (before, after) => {
    const parts = changesOf(before, after).map(({ name }) => name.toLowerCase())
    return parts.length === 0 ? undefined : `Changed policy: ${formatList(parts)}.`
  },
  'device.forgotten': () => 'Forgot device.',
  'database.restored': (_, after) =>
    whenRead(Restored, after, ({ offered, releasesLost, carriedOver, access }) => {
      const marked = `${formatCounted(offered, 'release')} marked as offered`
      const lost = `${formatCounted(releasesLost, 'release')} not in the backup`
      return `Restored backup: ${marked}, ${lost}.${keptInWords(carriedOver)}${accessInWords(access)}`
    }),
  'database.backup_downloaded': (_, after) =>
    whenRead(Named, after, ({ name }) => `Downloaded backup ${name}.`),
  'file.uploaded': (_, after) => whenRead(Named, after, ({ name }) => `Uploaded file ${name}.`),
  'file.deleted': (before) => whenRead(Named, before, ({ name }) => `Deleted file ${name}.`),
  ...PERSON_WORDS,
  ...CHANGE_REQUEST_WORDS,
  ...DRAFT_WORDS,
  ...PLAN_WORDS,
  ...WEBHOOK_WORDS,
  'key.minted': (_, after) =>
    whenRead(Key, after, ({ name, prefix }) => `Created key ${name ?? ''} (${prefix}…).`),
  'key.revoked': (_, after) => whenRead(Key, after, ({ prefix }) => `Revoked key ${prefix}….`),
}

/** The sentence that follows, after a space; none where nothing was kept. */
function keptInWords(carriedOver: z.infer<typeof Restored>['carriedOver']): string {
  if (carriedOver === undefined) return ''
  if (carriedOver === null) return ' The previous database could not be read.'
  const kept = keptCounts(carriedOver)
  return kept.length === 0 ? '' : ` Kept changes made after the backup: ${formatList(kept)}.`
}

/** The sentence that follows, after a space; none where nobody and no key is concerned. */
function accessInWords(access: RestoredAccess | undefined): string {
  const people = access?.people.length ?? 0
  const keys = access?.keys.length ?? 0
  const counts = [
    ...(people > 0 ? [formatCounted(people, 'account')] : []),
    ...(keys > 0 ? [formatCounted(keys, 'API key')] : []),
  ]
  return counts.length === 0 ? '' : ` Limited the access of ${formatList(counts)}.`
}

/** What was done, as a sentence. A change that is not known is named by its action. */
export function entryInWords({ action, before, after }: Change): string {
  const known = Object.hasOwn(WORDS, action) ? WORDS[action]?.(before, after) : undefined
  return known ?? sentence(action.replace(/^release\./, '').replaceAll(/[._]/g, ' '))
}

/** Returns how one part changed: `Rollout: 5% → 25%`. */
export function partChangeInWords({ name, before = 'none', after = 'none' }: PartChange): string {
  return `${name}: ${before} → ${after}`
}

const STATUS_CHANGES: Readonly<Record<ReleaseStatus, string>> = {
  published: 'resumed',
  paused: 'paused',
  rolled_back: 'rolled back',
}

/** What became of the status. A release that waited for its proof was paused before. */
function statusInWords(
  before: ReleaseStatus | undefined,
  after: ReleaseStatus,
  awaitsProof: boolean | undefined,
): string {
  if (awaitsProof === false && after === 'published') return 'proven and resumed'
  return before === after ? 'kept paused once proven' : STATUS_CHANGES[after]
}

/** How the serving of a release was changed; undefined where that cannot be read. */
function servingInWords(before: unknown, after: unknown): string | undefined {
  const [from, to] = [Serving.safeParse(before), Serving.safeParse(after)]
  if (!(from.success && to.success)) return undefined
  const { status, rolloutPct, targets, requestedBy, awaitsProof } = to.data
  const request = requestInWords(requestedBy)
  const parts: string[] = []
  if (status !== undefined) parts.push(statusInWords(from.data.status, status, awaitsProof))
  if (rolloutPct !== undefined) {
    const old = from.data.rolloutPct ?? 0
    const verb = rolloutPct > old ? 'raised' : 'lowered'
    parts.push(`rollout ${verb} from ${formatPercent(old)} to ${formatPercent(rolloutPct)}`)
  }
  const done = sentence(formatList(parts))
  if (targets === undefined) return `${done}${request}`
  const meant = `Changed targets: ${inSentence(targetsInWords(targets))}.`
  return `${parts.length === 0 ? meant : `${done} ${meant}`}${request}`
}
