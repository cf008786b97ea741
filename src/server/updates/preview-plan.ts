import type { ChannelPolicy } from '../../shared/channel.ts'
import type { ReleaseFacts } from '../decision/channel.ts'
import type { InstallProfile } from '../fleet/store.ts'

/** All that the preview's thread needs. It crosses by copy: notes are left out of the facts. */
export interface PreviewPlan {
  readonly databaseFile: string
  readonly policy: ChannelPolicy
  /** Every release of the channel as it is. */
  readonly releases: readonly ReleaseFacts[]
  /** The release that would change, as it would be. */
  readonly changed: ReleaseFacts
  /** What devices of the channel run. */
  readonly profiles: readonly InstallProfile[]
  /** The profile of every device of every app, by the device's number. */
  readonly byDevice: Int32Array<ArrayBuffer>
}
