import { completeAddress } from './address.ts'
import { newArtifact } from './artifact.ts'
import { guessArch, guessTarget } from './guess.ts'
import type { ImportResult } from './imported.ts'
import { latestPackages, readPackages, signatureOfPackage } from './package-list.ts'

/** How the channels of Velopack begin by default, which are in the names of its feeds. */
const CHANNELS: readonly (readonly [RegExp, string])[] = [
  [/^releases\.osx\b/i, 'darwin'],
  [/^releases\.linux\b/i, 'linux'],
]

/**
 * Reads the packages of the highest version in a `RELEASES` file of Squirrel.Windows or a feed of Velopack, each with its line
 * as its signature. The lists hold no SHA-512. The platform is that of the feed's name, else Windows; packages name no
 * architecture, so x64 is assumed. Addresses follow `base`, and stay empty without it.
 */
export function readPackageManifest(fileName: string, text: string, base: string): ImportResult {
  const packages = readPackages(fileName, text)
  if (packages === undefined) return { ok: false, fault: 'not_packages' }
  const platform = CHANNELS.find(([pattern]) => pattern.test(fileName))?.[1] ?? 'windows'
  const latest = latestPackages(packages)
  const [{ version, notes } = { version: '', notes: '' }] = latest
  const artifacts = latest.map((listed) => {
    const { name, size } = listed
    const arch = guessArch(name, platform) || guessArch(fileName.replaceAll('.', '-'), platform)
    const relative = encodeURIComponent(name)
    return newArtifact({
      ...{ platform, arch: arch || 'x86_64', kind: guessTarget(name).kind },
      ...{ url: completeAddress(base, relative), relative, size: String(size) },
      signature: signatureOfPackage(packages, listed),
      listed: {
        ...{ format: 'packages', manifest: fileName, version, entry: name, sha512: '' },
        assumedArch: arch === '' ? 'x86_64' : '',
      },
    })
  })
  return { ok: true, release: { version, notes, stagingPercentage: null, artifacts, remarks: [] } }
}
