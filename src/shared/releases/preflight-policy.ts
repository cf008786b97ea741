import { z } from 'zod'

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
  /** The file was changed after it was signed, or its signature is not by the key of its certificate. */
  signature_broken: 'fail',
  /** The app is signed by another team of Apple's. */
  team_changed: 'fail',
  /** The app no longer says where its updates are. */
  updater_missing: 'fail',
  /** The app asks elsewhere for updates from then on. */
  feed_changed: 'fail',
  /** The operating system is too old. */
  system_too_old: 'warn',
  /** The file needs a higher operating system than that of before, and which one devices run is not known. */
  system_unknown: 'warn',
  /** The updater cannot compare the floor, and installs the release on every system. */
  floor_ignored: 'warn',
  /** The publisher's own document offers the release to some devices only. */
  staged_by_document: 'warn',
  /** After a rollback, devices stay on the release. */
  no_way_back: 'warn',
} as const satisfies Readonly<Record<string, PreflightSeverity>>

export const PreflightCode = z.enum(Object.keys(PREFLIGHT_CODES) as [keyof typeof PREFLIGHT_CODES])
export type PreflightCode = z.infer<typeof PreflightCode>

/** What preflight found against a change. */
export const PreflightNotice = z
  .strictObject({
    refusing: z.int().min(0).meta({ description: 'Known devices that would not install it' }),
    findings: z.array(PreflightCode).meta({ description: 'Findings that are not accepted' }),
  })
  .meta({ id: 'PreflightNotice' })
export type PreflightNotice = z.infer<typeof PreflightNotice>

/** In the answer of a change; absent if nothing was found. */
export const WARNED = {
  preflight: PreflightNotice.optional().meta({
    description: 'What preflight found against the change, where the channel runs it',
  }),
} as const

/**
 * What a channel does with preflight.
 *
 * - `off`: on request
 * - `warn`: the same, and the console shows it before a release is published
 * - `required`: a release that fails is not offered to devices, or to more of them
 */
export const PreflightPolicy = z.enum(['off', 'warn', 'required'])
export type PreflightPolicy = z.infer<typeof PreflightPolicy>

/** A finding that is known and meant to be, and why. */
export const AcceptedFinding = z.strictObject({
  code: PreflightCode,
  reason: z.string().trim().min(1, 'must say why').max(500, 'must be at most 500 characters'),
})
export type AcceptedFinding = z.infer<typeof AcceptedFinding>

/** Each code once. */
export const AcceptedFindings = z
  .array(AcceptedFinding)
  .max(Object.keys(PREFLIGHT_CODES).length)
  .refine((accepted) => new Set(accepted.map(({ code }) => code)).size === accepted.length, {
    message: 'must name each code once',
  })
