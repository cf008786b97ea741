import type { CatalogChannel } from '../../../src/server/catalog/snapshot.ts'
import type { ScannedState } from '../../../src/server/fleet/facts.ts'
import { NONE } from '../../../src/server/fleet/health/episode.ts'
import { askFeed } from '../../../src/server/http/update-feeds/feed-answers.ts'
import { type KnownFiles, NO_FILES } from '../../../src/server/preflight/files/continuity.ts'
import { type AskFeed, factsReadBy, GroupTally } from '../../../src/server/preflight/groups.ts'
import { Judge, type Judgement, trialOf } from '../../../src/server/preflight/judge.ts'
import type { ReleaseFacts } from '../../../src/server/rules/decision/channel.ts'
import type { ChannelPolicy } from '../../../src/shared/releases/channel.ts'
import { channelOf } from '../../support/builders/decision-facts.ts'

const NOW = Date.parse('2026-04-01T00:00:00Z')

export interface Running {
  readonly version: string
  readonly platform?: string
  readonly arch?: string
  readonly labels?: Record<string, string>
  readonly count?: number
}

const STATE: ScannedState = {
  ...{ firstSeen: 0, lastSeen: 0, interval: 3_600, evidence: 0 },
  ...{ phase: NONE, isOffered: false, revertedAt: null },
}

/** What preflight says of the last release, for devices that run the others. */
export function judge(
  releases: readonly ReleaseFacts[],
  running: readonly Running[],
  policy: Partial<ChannelPolicy> = {},
  { ask = askFeed, files = NO_FILES }: { ask?: AskFeed; files?: KnownFiles } = {},
): Judgement {
  const tried = releases.at(-1)
  const compiled = channelOf(releases, policy)
  const channel = {
    app: { ref: 'editor', name: 'Editor', key: 1 },
    record: { name: 'stable', key: 1, policy: compiled.policy },
    compiled,
  } as unknown as CatalogChannel
  const trial = trialOf(channel, tried as never, ask, files)
  const tally = new GroupTally(factsReadBy(trial.channel.compiled))
  for (const { version, platform = 'windows', arch = 'x64', labels = {}, count = 1 } of running) {
    for (let at = 0; at < count; at += 1) {
      const profile = { channelKey: 1, version, platform, arch }
      tally.add({ deviceId: `${version}-${at}`, profile, labels, state: STATE })
    }
  }
  const judging = new Judge(trial, tally.groups(), NOW)
  for (const _ of judging.run());
  return judging.result(tally.unknown)
}
