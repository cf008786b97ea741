import type { ChannelPolicy } from '../../../shared/channel.ts'
import type { ReleaseFacts } from '../../decision/channel.ts'
import type { DeviceScan } from '../../fleet/facts.ts'

/** All that the preview's thread needs. It crosses by copy: notes are left out of the facts. */
export interface PreviewPlan {
  readonly policy: ChannelPolicy
  /** Every release of the channel as it is. */
  readonly releases: readonly ReleaseFacts[]
  /** The release that would change, as it would be. */
  readonly changed: ReleaseFacts
  /** The devices of the channel. */
  readonly scan: DeviceScan
}
