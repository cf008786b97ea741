import type { NumberedProfile, StoredProfile } from '../batch.ts'

/** A profile and the data that determines how long it is kept. */
export interface KnownProfile {
  readonly profile: NumberedProfile
  readonly appKey: number
  namedBy: StoredProfile['namedBy']
  /** UTC day of its last check-in, or of the last device that moved to another profile. */
  lastDay: number
  /** Devices whose last check-in had it. */
  devices: number
  /** The check-in with which a device last moved to another profile. */
  leftAt: number
}

/** Profiles by channel, version, platform and arch: lookups build no strings. */
export class ProfileTree {
  readonly #channels = new Map<number, Map<string, Map<string, Map<string, KnownProfile>>>>()

  find(
    channelKey: number,
    version: string,
    platform: string,
    arch: string,
  ): KnownProfile | undefined {
    return this.#channels.get(channelKey)?.get(version)?.get(platform)?.get(arch)
  }

  add(known: KnownProfile): void {
    const { channelKey, version, platform, arch } = known.profile
    branch(branch(branch(this.#channels, channelKey), version), platform).set(arch, known)
  }

  remove({ profile: { channelKey, version, platform, arch } }: KnownProfile): void {
    const versions = this.#channels.get(channelKey)
    const platforms = versions?.get(version)
    const arches = platforms?.get(platform)
    arches?.delete(arch)
    if (arches?.size === 0) platforms?.delete(platform)
    if (platforms?.size === 0) versions?.delete(version)
  }

  ofChannel(channelKey: number): NumberedProfile[] {
    const versions = [...(this.#channels.get(channelKey)?.values() ?? [])]
    return versions
      .flatMap((platforms) => [...platforms.values()])
      .flatMap((arches) => [...arches.values()])
      .map(({ profile }) => profile)
  }
}

function branch<Key, Value>(tree: Map<unknown, Map<Key, Value>>, key: unknown): Map<Key, Value> {
  const known = tree.get(key)
  if (known !== undefined) return known
  const fresh = new Map<Key, Value>()
  tree.set(key, fresh)
  return fresh
}
