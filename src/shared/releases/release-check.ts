import { z } from 'zod'
import { UpdaterClient } from '../files/updater.ts'
import { RELEASE_NAMES, Version } from '../names.ts'
import { ReleaseStatus } from './release.ts'

/** Why a client is not offered a file of its platform and architecture. */
export const ReleaseCheckCode = z.enum([
  /** It does not install files of that form. */
  'not_installed',
  /** It needs a signature; for a package, its line of the `RELEASES` file. */
  'unsigned',
  /** The signature is in the format of another updater, or malformed. */
  'signature_form',
  /** A package that holds only what has changed since one that its signature does not name. */
  'delta',
  /** The same since one that no other release of the channel has. */
  'delta_base',
  /** It takes this file only beside one that it installs. */
  'needed_file_missing',
  /** It is offered another file of the release. */
  'another_first',
])
export type ReleaseCheckCode = z.infer<typeof ReleaseCheckCode>

const CheckedFile = z.strictObject({
  file: z.string(),
  /** Empty if the file has none. */
  kind: z.string(),
  platform: z.string(),
  arch: z.string(),
  /** Bytes; 0 if they are not known. */
  size: z.int(),
})
export type CheckedFile = z.infer<typeof CheckedFile>

const CheckedFloor = z.strictObject({
  /** The oldest system that the files need, as it was published: what devices on an older one get. */
  below: z.string(),
  /** The release; null for nothing. */
  version: Version.nullable(),
})
export type CheckedFloor = z.infer<typeof CheckedFloor>

const CheckedTarget = z.strictObject({
  client: UpdaterClient,
  platform: z.string(),
  /** `any`: devices of an architecture that the release has no files of its own for. */
  arch: z.string(),
  /** First the one that a device gets that says nothing about its bundle. */
  offered: z.array(CheckedFile),
  /** The manifest, appcast or list of packages that devices get unchanged; absent if there is none. */
  document: z.string().optional(),
  notOffered: z.array(CheckedFile.extend({ code: ReleaseCheckCode })),
  /** From the highest floor down; empty if the files run on every system. */
  floors: z.array(CheckedFloor),
})
export type CheckedTarget = z.infer<typeof CheckedTarget>

/** What devices are offered of a release. */
const ReleaseCheck = z.strictObject({
  ...RELEASE_NAMES,
  status: ReleaseStatus,
  targets: z.array(CheckedTarget),
  /** Files that no device with one of the clients is offered. */
  unoffered: z.array(CheckedFile),
})

export const ReleaseCheckAnswer = z.strictObject({ check: ReleaseCheck })
