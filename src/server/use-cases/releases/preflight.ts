import type { z } from 'zod'
import type {
  PreflightEvent,
  PreflightInput,
  PreflightProgress,
  PreflightReport,
} from '../../../shared/releases/preflight.ts'
import { EVERY_DEVICE } from '../../../shared/releases/targets.ts'
import { type Catalog, releaseOn, unknownRelease } from '../../catalog/catalog.ts'
import { Refusal } from '../../catalog/errors.ts'
import type { AppRecord, ChannelRecord, ReleaseRecord } from '../../catalog/records.ts'
import { isExpired } from '../../catalog/releases/find-draft.ts'
import type { CatalogChannel } from '../../catalog/snapshot.ts'
import type { DeviceScan } from '../../fleet/facts.ts'
import type { FleetReads, FleetStore } from '../../fleet/store.ts'
import type { KnownFiles } from '../../preflight/files/continuity.ts'
import { verdictOf } from '../../preflight/findings.ts'
import type { Judgement } from '../../preflight/judge.ts'
import type { TaskEvent } from '../../runtime/threads/serve-tasks.ts'
import { type Asker, findChannel, type Principal, whoIs } from '../principal.ts'
import {
  type ChangedByClient,
  changedOf,
  type FileParts,
  type LookedInto,
  lookInto,
} from './preflight-files.ts'
import { withoutNotes } from './preview-serving.ts'
import type { ReleaseAt } from './prove-release.ts'

/** All that a release is judged from, as plain data. */
export interface PreflightPlan {
  readonly app: AppRecord
  readonly record: ChannelRecord
  /** Every release of the channel as it is. */
  readonly releases: readonly ReleaseRecord[]
  /** The release to judge. */
  readonly tried: ReleaseRecord
  /** The devices of the channel. */
  readonly scan: DeviceScan
  readonly files: KnownFiles
  readonly changed: ChangedByClient
  /** Unix time in milliseconds. */
  readonly now: number
}

/** Judges a release on a thread, as `CountPreview`. `plan` waits for the app's own turn: a slow host keeps no other waiting. */
export type JudgePreflight = (
  asker: string,
  app: number,
  plan: () => Promise<PreflightPlan>,
  signal: AbortSignal | undefined,
) => AsyncGenerator<TaskEvent<Judgement, PreflightProgress>, void>

export interface PreflightParts extends FileParts {
  /** Of a running server, it settles first: what is counted is committed. */
  readonly fleet: Pick<FleetReads, 'scan' | 'presence'> & Partial<Pick<FleetStore, 'settled'>>
  readonly judgePreflight: JudgePreflight
}

/**
 * Yields what a release or draft would do to the devices of its channel (docs/preflight.md): progress a few times a second, then
 * the report. Changes nothing. Ends early when `signal` is aborted. Needs the role
 * `release_manager`, because files are read from other servers. Throws `unknown`, `forbidden`,
 * `release_rolled_back` and `PreviewsBusy`.
 */
export async function* followPreflight(
  parts: PreflightParts,
  principal: Principal,
  { content, ...place }: z.output<typeof PreflightInput>,
  signal: AbortSignal | undefined,
): AsyncGenerator<PreflightEvent, void> {
  const found = await findTried(parts.catalog, principal, place, content)
  yield* followTried(parts, principal, found, signal)
}

/** Returns the report of the same once it is complete. */
export async function preflight(
  parts: PreflightParts,
  principal: Principal,
  place: ReleaseAt,
): Promise<PreflightReport> {
  return await reportOf(followPreflight(parts, principal, place, undefined))
}

/** Milliseconds for which a report says enough of a release that is published after it. */
const RECENT = 120_000

/** The last report of a channel as it is, and of what. */
const recent = new WeakMap<CatalogChannel['compiled'], { of: string; report: PreflightReport }>()

/** Returns the report of the same content on a channel that has not changed since, such as that of the form that publishes it. */
export function recentReport(
  catalog: Catalog,
  { compiled }: CatalogChannel,
  tried: ReleaseRecord,
): PreflightReport | undefined {
  const { of, report } = recent.get(compiled) ?? {}
  if (report === undefined || of !== contentOf(tried)) return undefined
  return catalog.now() - Date.parse(report.checkedAt) < RECENT ? report : undefined
}

function contentOf({ version, targets, artifacts, documents }: ReleaseRecord): string {
  return JSON.stringify([version, targets, artifacts, documents])
}

/** Does the same for a release as it would be, on a channel as it is. Rejects when `signal` is aborted. */
export async function judgeRelease(
  parts: PreflightParts,
  asker: Asker,
  channel: CatalogChannel,
  tried: ReleaseRecord,
  signal?: AbortSignal,
): Promise<PreflightReport> {
  const found = { channel, tried, status: tried.status }
  return await reportOf(followTried(parts, asker, found, signal))
}

async function reportOf(events: AsyncGenerator<PreflightEvent, void>): Promise<PreflightReport> {
  for await (const event of events) if (event.type === 'result') return event.report
  throw new Error('the preflight was stopped')
}

async function* followTried(
  parts: PreflightParts,
  asker: Asker,
  found: Tried,
  signal: AbortSignal | undefined,
): AsyncGenerator<PreflightEvent, void> {
  const { catalog, fleet, judgePreflight } = parts
  const { channel, tried } = found
  const { app, record, compiled } = channel
  let files: LookedInto | undefined
  await fleet.settled?.()
  const plan = async (): Promise<PreflightPlan> => {
    files = await lookInto(parts, channel, tried, signal)
    const releases = compiled.releases.map(({ facts }) => withoutNotes(facts))
    const scan = await fleet.scan({ channelKey: record.key })
    const changed = await changedOf(parts, channel, tried)
    const plain = { releases, tried: withoutNotes(tried), scan, files, changed }
    return { app, record, ...plain, now: catalog.now() }
  }
  for await (const event of judgePreflight(whoIs(asker), app.key, plan, signal)) {
    if (event.type === 'progress') yield { type: 'progress', ...event.progress }
    else {
      const judged = report(catalog, found, event.result, files)
      recent.set(compiled, { of: contentOf(tried), report: judged })
      yield { type: 'result', report: judged }
    }
  }
}

function report(
  catalog: Catalog,
  { channel: { app, record }, tried, status }: Tried,
  judged: Judgement,
  { inspected = 0, notInspected = 0 }: Partial<LookedInto> = {},
): PreflightReport {
  const reasons = new Map(record.policy.acceptedFindings.map(({ code, reason }) => [code, reason]))
  const findings = judged.findings.map((finding) => {
    const accepted = reasons.get(finding.code)
    return accepted === undefined ? finding : { ...finding, accepted }
  })
  return {
    ...{ app: app.ref, channel: record.name, version: tried.version, status },
    checkedAt: catalog.timestamp(),
    ...judged,
    ...{ findings, verdict: verdictOf(findings), inspected, notInspected },
  }
}

/** What a release that does not exist yet would have. */
interface NewContent extends Pick<ReleaseRecord, 'targets' | 'artifacts'> {
  readonly documents?: ReleaseRecord['documents'] | undefined
}

interface Tried {
  readonly channel: CatalogChannel
  readonly tried: ReleaseRecord
  readonly status: PreflightReport['status']
}

/** Finds the release; the draft if there is no release of the version. */
async function findTried(
  catalog: Catalog,
  principal: Principal,
  { version, ...place }: ReleaseAt,
  content: z.output<typeof PreflightInput>['content'],
): Promise<Tried> {
  const channel = findChannel(await catalog.refresh(), principal, place, 'release_manager')
  const facts = releaseOn(channel, version)?.facts
  if (facts?.status === 'rolled_back') throw new Refusal({ code: 'release_rolled_back', version })
  if (facts !== undefined) return { channel, tried: facts, status: facts.status }
  const newOne = (of: NewContent, at: string): Tried => {
    return { channel, tried: newRelease(channel, version, of, at), status: 'draft' }
  }
  if (content !== undefined) return newOne(content, catalog.timestamp())
  const draft = await catalog.store.draft(channel.record.key, version)
  if (draft === undefined || isExpired(draft, catalog.now())) throw unknownRelease(channel, version)
  return newOne({ ...draft, targets: EVERY_DEVICE }, draft.createdAt)
}

/** Returns a release as if it were published for all of its targets. */
export function newRelease(
  { app, record }: CatalogChannel,
  version: string,
  { targets, artifacts, documents }: NewContent,
  createdAt: string,
): ReleaseRecord {
  return {
    ...{ id: '', appKey: app.key, channelKey: record.key, version, notes: '', artifacts, targets },
    ...(documents === undefined ? {} : { documents }),
    ...{ status: 'published', rolloutPct: 100, openPct: null, createdAt },
    ...{ offered: false, awaitsProof: false, revision: 0 },
  }
}
