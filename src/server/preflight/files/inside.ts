import { bundleVersionOf } from '../../../shared/releases/version.ts'
import type { ParsedVersion } from '../../rules/decision/version.ts'
import { sameVersionAsElectron } from '../clients/electron.ts'
import type { Fault } from '../clients/reading.ts'
import type { FileFacts, VersionFact } from '../inspect/facts.ts'
import type { Hop } from './hop.ts'

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
