import { ANY_ARCH, canonicalArch } from '../../../shared/devices/aliases.ts'
import type { Artifact } from '../../../shared/releases/release.ts'
import { indexArtifacts } from './artifacts.ts'
import {
  type CompiledChannel,
  type CompiledRelease,
  offeredPct,
  type ReleaseFacts,
} from './channel.ts'

export interface FileChoice {
  /** Differs between any two choices. There are few: it never contains what a caller sent. */
  readonly name: string
  /** Canonical. */
  readonly platform: string
  /** Returns the files of a release that the client can install, best first; none if it cannot install the release. */
  choose(artifacts: readonly Artifact[]): readonly Artifact[]
  /** The system that the chosen files need, where that is not what the best of them needs. */
  floorOf?(chosen: readonly Artifact[]): string | undefined
}

/** A channel as a kind of updater client sees it. */
export interface ChannelView<Facts extends ReleaseFacts = ReleaseFacts> {
  /** The channel to decide on: a release has an artifact for the platform, whatever the arch, if the client can install one. */
  readonly channel: CompiledChannel<Facts>
  /** The same with artifacts only in releases that are at 100%. */
  readonly rolledOut: CompiledChannel<Facts>
}

const files = new WeakMap<CompiledRelease, readonly Artifact[]>()
const archesOf = new WeakMap<CompiledChannel, ReadonlySet<string>>()

/** Makes views of channels, each once. A release keeps its view while it stays the same. */
export class ChannelViews<Facts extends ReleaseFacts> {
  readonly #views = new WeakMap<CompiledChannel<Facts>, Map<string, ChannelView<Facts>>>()
  readonly #releases = new WeakMap<CompiledRelease<Facts>, Map<string, CompiledRelease<Facts>>>()

  of(channel: CompiledChannel<Facts>, choice: FileChoice): ChannelView<Facts> {
    return remembered(this.#views, channel, choice.name, () => {
      const viewed = mapReleases(channel, (release) => this.#viewRelease(release, choice))
      const rolledOut = mapReleases(viewed, (release) =>
        offeredPct(release.facts) === 100 ? release : { ...release, artifacts: new Map() },
      )
      return { channel: viewed, rolledOut }
    })
  }

  #viewRelease(release: CompiledRelease<Facts>, choice: FileChoice): CompiledRelease<Facts> {
    return remembered(this.#releases, release, choice.name, () => {
      const chosen = choice.choose(release.facts.artifacts)
      const any = chosen.slice(0, 1).map((artifact) => {
        const floor = choice.floorOf?.(chosen) ?? artifact.minimumSystemVersion
        const named = { platform: choice.platform, arch: ANY_ARCH, kind: '' }
        return { ...artifact, ...named, minimumSystemVersion: floor }
      })
      const view = { ...release, artifacts: indexArtifacts(any) }
      files.set(view, chosen)
      return view
    })
  }
}

/** Returns the files that the client can install of a release in a view, best first. */
export function filesOf(release: CompiledRelease): readonly Artifact[] {
  return files.get(release) ?? []
}

/** Returns the canonical arch if an artifact of the channel is for it, else `ANY_ARCH`: few, whatever callers send. */
export function archOn(channel: CompiledChannel, arch: string): string {
  let arches = archesOf.get(channel)
  if (arches === undefined) {
    const artifacts = channel.releases.flatMap(({ facts }) => facts.artifacts)
    arches = new Set(artifacts.map((artifact) => canonicalArch(artifact.arch)))
    archesOf.set(channel, arches)
  }
  const canonical = canonicalArch(arch)
  return arches.has(canonical) ? canonical : ANY_ARCH
}

/** A published release is in both lists, as the same object. */
function mapReleases<Facts extends ReleaseFacts>(
  channel: CompiledChannel<Facts>,
  map: (release: CompiledRelease<Facts>) => CompiledRelease<Facts>,
): CompiledChannel<Facts> {
  const mapped = new Map(channel.releases.map((release) => [release, map(release)]))
  const each = (release: CompiledRelease<Facts>) => mapped.get(release) ?? map(release)
  return {
    ...channel,
    releases: channel.releases.map(each),
    published: channel.published.map(each),
  }
}

function remembered<Key extends WeakKey, Value>(
  known: WeakMap<Key, Map<string, Value>>,
  key: Key,
  name: string,
  make: () => Value,
): Value {
  const values = known.get(key) ?? new Map<string, Value>()
  known.set(key, values)
  const value = values.get(name) ?? make()
  values.set(name, value)
  return value
}
