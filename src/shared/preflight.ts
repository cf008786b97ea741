import { z } from 'zod'
import { AppRef, ChannelName, Timestamp, Version } from './names.ts'
import { ReleaseStatus } from './release.ts'
import { UpdaterClient } from './release-check.ts'

/** `fail`: devices would not install the release, or nothing after it. `warn`: probably not what was wanted. */
export const PreflightSeverity = z.enum(['fail', 'warn'])
export type PreflightSeverity = z.infer<typeof PreflightSeverity>

/** What preflight finds, by how bad it is. docs/preflight.md describes each. */
export const PREFLIGHT_CODES = {
  /** The release has no file that the updater installs there. */
  no_file: 'fail',
  /** A file has no signature, without which the updater does not install it. */
  unsigned: 'fail',
  /** A signature in a form that the updater cannot read. */
  signature_form: 'fail',
  /** The signature of a file is for another version. */
  signed_for_other_version: 'fail',
  /** The feed answers with an error, or with what the updater cannot read. */
  feed_unreadable: 'fail',
  /** The updater cannot read the version. */
  version_unreadable: 'fail',
  /** The updater takes what it runs for the same version or a higher one. */
  version_not_above: 'fail',
  /** The updater installs another version than the release has. */
  version_mismatch: 'fail',
  /** The updater takes a file for another architecture. */
  wrong_file: 'fail',
  /** The feed has no checksum for the file, without which the updater does not install it. */
  checksum_missing: 'fail',
  /** The releases that lead to it can no longer be installed. */
  dead_end: 'fail',
  /** The release is below the minimum supported version: its devices are required to update to nothing. */
  below_minimum: 'fail',
  /** The last proof of the file failed. */
  file_failed: 'fail',
  /** The version inside the file is another one. */
  version_inside: 'fail',
  /** The program inside the file is for another architecture. */
  arch_inside: 'fail',
  /** The file is signed with another minisign key than the app trusts. */
  minisign_key_changed: 'fail',
  /** The file is signed by another publisher than the app accepts. */
  publisher_changed: 'fail',
  /** The app is signed by another team of Apple's. */
  team_changed: 'fail',
  /** The app no longer says where its updates are. */
  updater_missing: 'fail',
  /** The app asks elsewhere for updates from then on. */
  feed_changed: 'fail',
  /** The operating system is too old. */
  system_too_old: 'warn',
  /** The updater cannot compare the floor, and installs the release on every system. */
  floor_ignored: 'warn',
  /** The publisher's own document offers the release to some devices only. */
  staged_by_document: 'warn',
  /** After a rollback, devices stay on the release. */
  no_way_back: 'warn',
} as const satisfies Readonly<Record<string, PreflightSeverity>>

export const PreflightCode = z.enum(Object.keys(PREFLIGHT_CODES) as [keyof typeof PREFLIGHT_CODES])
export type PreflightCode = z.infer<typeof PreflightCode>

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
    /** Known devices that it concerns. */
    devices: z.int(),
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

/** What a release would do to the devices of its channel if it were published to all of its targets now. */
export const PreflightReport = z
  .strictObject({
    app: AppRef,
    channel: ChannelName,
    version: Version,
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
    /** Devices that reach it whose file has a known size, and the bytes that they download. */
    download: z.strictObject({ devices: z.int(), bytes: z.int() }),
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
