import type { CandidateTrace } from '../../shared/devices/explanation.ts'
import type { UpdaterClient } from '../../shared/files/updater.ts'
import type { LabelMap } from '../../shared/names.ts'
import type { CatalogChannel } from '../catalog/snapshot.ts'
import type { ParsedVersion } from '../rules/decision/version.ts'

/** A device as its updater asks. */
export interface AskingDevice {
  readonly deviceId: string | null
  readonly version: ParsedVersion
  /** Canonical, as `arch`. */
  readonly platform: string
  readonly arch: string
  /** The kind of bundle that is installed; `OTHER` if it is not known. */
  readonly bundle: string
  readonly labels: LabelMap
}

/** What an updater is answered. */
export interface ClientAnswer {
  /** Of HTTP. */
  readonly status: number
  /** Empty for none. */
  readonly body: string
  /** The version that it is offered; null for none. */
  readonly offered: ParsedVersion | null
  /** True if that is below the version that the device runs. */
  readonly allowDowngrade: boolean
  /** Why, as `decide` traces it. */
  readonly candidates: readonly CandidateTrace[]
}

/** Answers a device of a channel as the update check or the feed of its updater does; records nothing. */
export type AskFeed = (
  channel: CatalogChannel,
  client: UpdaterClient,
  device: AskingDevice,
) => ClientAnswer
