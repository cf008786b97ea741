import { z } from 'zod'
import { UpdaterClient } from '../files/updater.ts'
import { AppRefOrId, ChannelName, RELEASE_NAMES, Timestamp, Version } from '../names.ts'
import { PreflightCode, PreflightSeverity } from './preflight-policy.ts'
import { PublishBody, ReleaseStatus } from './release.ts'

const RunningOn = z.strictObject({
  /** What the devices run. */
  version: z.string(),
  /** 0 for a release that no device runs now. */
  devices: z.int(),
})

/** One thing that is wrong, for the devices of one updater, platform and architecture. */
export const PreflightFinding = z
  .strictObject({
    code: PreflightCode,
    severity: PreflightSeverity,
    /** Why it does not count: what the policy of the channel says. */
    accepted: z.string().optional(),
    /** Known devices that it concerns. */
    devices: z.int(),
    /** The ID of one of them; absent without any. */
    example: z.string().optional(),
    /** Null for what concerns every updater. */
    client: UpdaterClient.nullable(),
    platform: z.string(),
    arch: z.string(),
    /** What was needed, and what there is instead, as far as the code has either. */
    expected: z.string().optional(),
    found: z.string().optional(),
    file: z.string().optional(),
    /** The versions that those devices run, most devices first; at most 20. */
    versions: z.array(RunningOn),
    /** How many versions there are in all. */
    versionCount: z.int(),
  })
  .meta({ id: 'PreflightFinding' })
export type PreflightFinding = z.infer<typeof PreflightFinding>

/** Which release to check. `content`: what it would have, if it does not exist yet and is no draft. */
export const PreflightInput = z.strictObject({
  app: AppRefOrId,
  channel: ChannelName,
  version: Version,
  content: PublishBody.pick({ targets: true, artifacts: true, documents: true }).optional(),
})
export type PreflightInput = z.input<typeof PreflightInput>

/** What a release would do to the devices of its channel if it were published to all of its targets now. */
export const PreflightReport = z
  .strictObject({
    ...RELEASE_NAMES,
    /** `draft` for one that is not published. */
    status: z.enum(['draft', ...ReleaseStatus.options]),
    checkedAt: Timestamp,
    /** The severest finding; `pass` without any. */
    verdict: z.enum(['pass', ...PreflightSeverity.options]),
    /** Known devices of the channel. They are the sum of the others. */
    devices: z.int(),
    /** Reach the release, in one update or several. */
    reaching: z.int(),
    /** Would not install it, or are not offered it although they match its targets. */
    refusing: z.int(),
    /** Run it, or a higher version, or are offered a higher one. */
    beyond: z.int(),
    /** Do not match its targets. */
    notTargeted: z.int(),
    /** What they run is not known, or they are beyond the groups that are checked. */
    unknown: z.int(),
    /**
     * Devices that reach it whose file has a known size, and the bytes that they download: in full, and as far as known only
     * what has changed.
     */
    download: z.strictObject({ devices: z.int(), bytes: z.int(), changed: z.int() }),
    /** Files of the release, and of what devices run, that were looked into; those that could not be, wholly or in part. */
    inspected: z.int(),
    notInspected: z.int(),
    /** Groups of devices that are alike, and versions that no device runs now, as far as they were checked. */
    groups: z.int(),
    releasedVersions: z.int(),
    /** The severest first, then those of most devices. */
    findings: z.array(PreflightFinding),
  })
  .meta({ id: 'PreflightReport' })
export type PreflightReport = z.infer<typeof PreflightReport>

export const PreflightAnswer = z
  .strictObject({ preflight: PreflightReport })
  .meta({ id: 'PreflightAnswer' })

/** How far a preflight is: devices are counted, then the updates of each group are followed. */
export interface PreflightProgress {
  readonly step: 'devices' | 'updates'
  readonly done: number
  readonly total: number
}

export type PreflightEvent =
  | ({ readonly type: 'progress' } & PreflightProgress)
  | { readonly type: 'result'; readonly report: PreflightReport }
