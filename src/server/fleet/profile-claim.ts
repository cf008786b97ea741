/**
 * The source that verifies a combination of version, platform and architecture:
 * - `key`: a call with a key named it
 * - `release`: the channel has released the version, and knows the platform and architecture
 * - `version`: the channel has released the version; the platform or architecture is unverified
 * - `caller`: unverified
 */
export type NamedBy = 'key' | 'release' | 'version' | 'caller'

/** The channel and profile of a device, as claimed by a check-in. Check-ins with the same claim can share one. */
export class ProfileClaim {
  readonly channelKey: number
  /** Canonical version text. */
  readonly version: string
  /** Lowercase; empty if a report did not include it. */
  readonly platform: string
  readonly arch: string
  readonly namedBy: NamedBy

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
