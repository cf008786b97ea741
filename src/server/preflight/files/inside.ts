import { OTHER } from '../../../shared/devices/counting.ts'
import type { UpdaterClient } from '../../../shared/files/updater.ts'
import type { Artifact } from '../../../shared/releases/release.ts'
import { bundleVersionOf } from '../../../shared/releases/version.ts'
import type { ServedRelease } from '../../catalog/snapshot.ts'
import type { ParsedVersion } from '../../rules/decision/version.ts'
import { CLIENT_FILES } from '../../rules/updaters/clients.ts'
import { sameVersionAsElectron } from '../clients/electron.ts'
import type { Fault } from '../clients/reading.ts'
import type { AskingDevice } from '../groups.ts'
import type { FileFacts, VersionFact } from '../inspect/facts.ts'

/** Returns what contradicts the release inside a file that is published for a canonical arch. */
export function insideFaults({ device, release }: Hop, arch: string, facts: FileFacts): Fault[] {
  const { version } = release
  const wrong = facts.versions.find((each) => !isVersion(each, version))
  const arches = facts.arch ?? []
  const runs = arches.length === 0 || arches.some((each) => isRunBy(device.platform, arch, each))
  return [
    ...(wrong === undefined
      ? []
      : [{ code: 'version_inside', expected: version.text, found: wrong.text } as const]),
    ...(facts.publisher.isIntact === false ? [{ code: 'signature_broken' } as const] : []),
    ...(runs ? [] : [{ code: 'arch_inside', expected: arch, found: arches.join(', ') } as const]),
  ]
}

/** Packages and resources write versions in forms of their own, of which the first three numbers say enough. */
function isVersion({ source, text }: VersionFact, version: ParsedVersion): boolean {
  if (source === 'package_json') return sameVersionAsElectron(text, version.text)
  if (text === bundleVersionOf(version)) return true
  const [, ...numbers] = /^v?(\d+)(?:\.(\d+))?(?:\.(\d+))?/.exec(text) ?? []
  return version.core.every((part, at) => part === Number(numbers[at] ?? 0))
}

/** Architectures that a system also runs. */
const ALSO_RUNS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  windows: { x86_64: ['i686'], aarch64: ['x86_64', 'i686'] },
  darwin: { aarch64: ['x86_64'] },
}

function isRunBy(platform: string, claimed: string, arch: string): boolean {
  return (
    [claimed, 'any'].includes(arch) ||
    claimed === 'any' ||
    ALSO_RUNS[platform]?.[claimed]?.includes(arch) === true
  )
}

/** An update of a device from what it runs to another release. */
export interface Hop {
  readonly client: UpdaterClient
  readonly device: AskingDevice
  /** Undefined if it is not known. */
  readonly running: ServedRelease | undefined
  readonly release: ServedRelease
}

/** Returns the file of a release that a device installs; undefined if there is none. */
export function fileOf(
  { client, device: { platform, arch, bundle } }: Pick<Hop, 'client' | 'device'>,
  { facts }: ServedRelease,
): Artifact | undefined {
  const files = CLIENT_FILES[client].choose(facts.artifacts, platform, arch)
  return files.find(({ kind }) => bundle === OTHER || kind === bundle) ?? files[0]
}
