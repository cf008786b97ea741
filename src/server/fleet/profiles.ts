import type { Profile } from './store.ts'

/** Most profiles that are kept apart. Callers choose versions freely, so there must be an end. */
export const MAX_PROFILES = 200_000

/** Every profile, found by what it says and by its number. Numbers start at 1. */
export class Profiles {
  /** By channel, version, platform and arch: finding one builds no text. */
  readonly #tree = new Map<number, Map<string, Map<string, Map<string, Profile>>>>()
  readonly #byId: (Profile | undefined)[] = [undefined]
  #fresh: Profile[] = []

  /** Takes in a stored profile. */
  load(profile: Profile): void {
    const { channelKey, version, platform, arch } = profile
    branch(branch(branch(this.#tree, channelKey), version), platform).set(arch, profile)
    this.#byId[profile.id] = profile
  }

  get(id: number): Profile | undefined {
    return this.#byId[id]
  }

  /** The profiles of a channel. */
  ofChannel(channelKey: number): Profile[] {
    const versions = [...(this.#tree.get(channelKey)?.values() ?? [])]
    return versions
      .flatMap((platforms) => [...platforms.values()])
      .flatMap((arches) => [...arches.values()])
  }

  /** Numbers up to `id` are never given out (again). */
  reserve(id: number): void {
    if (this.#byId.length <= id) this.#byId.length = id + 1
  }

  /** The number of that profile, a new one where it is new; 0 where there is no room left. */
  idOf(channelKey: number, version: string, platform: string, arch: string): number {
    const known = this.#tree.get(channelKey)?.get(version)?.get(platform)?.get(arch)
    if (known !== undefined) return known.id
    if (this.#byId.length > MAX_PROFILES) return 0
    const profile = { id: this.#byId.length, channelKey, version, platform, arch }
    this.load(profile)
    this.#fresh.push(profile)
    return profile.id
  }

  /** Hands over the profiles that are not stored yet. */
  takeFresh(): readonly Profile[] {
    const fresh = this.#fresh
    this.#fresh = []
    return fresh
  }
}

function branch<Key, Value>(tree: Map<unknown, Map<Key, Value>>, key: unknown): Map<Key, Value> {
  const known = tree.get(key)
  if (known !== undefined) return known
  const fresh = new Map<Key, Value>()
  tree.set(key, fresh)
  return fresh
}
