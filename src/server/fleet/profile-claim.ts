/**
 * Who vouches for a combination of version, platform and architecture:
 * - `key`: a call with a key named it
 * - `release`: the channel has released the version, and knows the platform and architecture
 * - `version`: the channel has released the version; the platform or architecture is anyone's word
 * - `caller`: anyone's word
 */
export type NamedBy = 'key' | 'release' | 'version' | 'caller'

/** What a device runs and where it listens, as a heartbeat says it. */
export class ProfileClaim {
  readonly channelKey: number
  /** Canonical version text. */
  readonly version: string
  /** Lower-cased; empty where a report did not say. */
  readonly platform: string
  readonly arch: string
  readonly namedBy: NamedBy
  /** The profile that it was counted under last, so that it need not be looked up; 0 for none. */
  id = 0

  constructor(
    channelKey: number,
    version: string,
    platform: string,
    arch: string,
    namedBy: NamedBy = 'key',
  ) {
    this.channelKey = channelKey
    this.version = version
    this.platform = platform
    this.arch = arch
    this.namedBy = namedBy
  }
}
