import { gt, parse as parseVersion, eq as sameVersion, valid } from 'semver'
import { z } from 'zod'
import { parseYaml } from '../../../shared/artifacts/documents/builder-manifest.ts'
import { artifactOf, fileBeside, nameBeside } from '../../../shared/artifacts/documents/document.ts'
import type { Artifact } from '../../../shared/releases/release.ts'
import { CLIENT_FILES } from '../../rules/updaters/clients.ts'
import { nameOfFile } from '../../rules/updaters/files.ts'
import { type Fault, type OfferedAnswer, type ReadAnswer, readOr } from './reading.ts'

const File = z.looseObject({
  url: z.string(),
  sha512: z.string().nullish(),
  sha2: z.string().nullish(),
})
const Manifest = z.looseObject({
  version: z.unknown(),
  files: z.array(File).nullish(),
  path: z.string().nullish(),
  sha512: z.string().nullish(),
  minimumSystemVersion: z.unknown().optional(),
  stagingPercentage: z.unknown().optional(),
})
type Manifest = z.infer<typeof Manifest>
type File = z.infer<typeof File>

/** Stands for the address of the feed. */
const BASE = 'https://feed.invalid/'

/** How electron-updater names architectures, as Node does. */
const NODE_ARCHES: Readonly<Record<string, string>> = {
  x86_64: 'x64',
  aarch64: 'arm64',
  i686: 'ia32',
  armv7: 'arm',
}

/** Reads a manifest as electron-updater 6.8 does: `isUpdateAvailable`, `getFileList` and `findFile`. */
export const readElectron: ReadAnswer = (answer) =>
  readOr({ code: 'feed_unreadable' }, () => {
    const manifest = Manifest.parse(parseYaml(answer.body))
    return [
      ...aboutVersion(manifest, answer),
      ...aboutFloor(manifest, answer),
      ...aboutFile(manifest, answer),
    ]
  })

/** Returns whether electron-updater takes a version that an app runs for that of a release. */
export function sameVersionAsElectron(running: string, version: string): boolean {
  return valid(running) !== null && sameVersion(running, version)
}

function aboutVersion(
  { version: given, stagingPercentage: staging }: Manifest,
  { device, release, allowDowngrade }: OfferedAnswer,
): Fault[] {
  const version = typeof given === 'string' ? parseVersion(given) : null
  if (version === null) return [{ code: 'version_unreadable', found: String(given) }]
  const faults: Fault[] = []
  const expected = release.version.text
  if (!sameVersion(version, expected)) {
    faults.push({ code: 'version_mismatch', expected, found: version.raw })
  }
  if (!allowDowngrade && !gt(version, device.version.text)) {
    faults.push({ code: 'version_not_above', found: version.raw })
  }
  const share = Number.parseInt(String(staging ?? 100), 10)
  // What is no number is no limit.
  if (share < 100) faults.push({ code: 'staged_by_document', found: `${share}%` })
  return faults
}

/** It compares with `os.release()`, which on macOS is the kernel: macOS 14 is 23, so that 14.0.0 is below every one. */
function aboutFloor({ minimumSystemVersion: floor }: Manifest, { device }: OfferedAnswer): Fault[] {
  if (floor === undefined || floor === null || floor === '') return []
  const version = typeof floor === 'string' ? parseVersion(valid(floor)) : null
  const isCompared = version !== null && (device.platform !== 'darwin' || version.major > 15)
  return isCompared ? [] : [{ code: 'floor_ignored', found: String(floor) }]
}

function aboutFile(manifest: Manifest, { device, release }: OfferedAnswer): Fault[] {
  const files = filesOf(manifest)
  if (files.length === 0) return [{ code: 'feed_unreadable', found: 'files' }]
  const unsummed = files.find(({ sha512, sha2 }) => (sha512 ?? sha2 ?? null) === null)
  if (unsummed !== undefined) return [{ code: 'checksum_missing', file: unsummed.url }]
  const { platform, arch, bundle } = device
  const chosen = fileFor(files, platform, NODE_ARCHES[arch] ?? arch, bundle)
  if (chosen === undefined) return [{ code: 'no_file' }]
  const { url, sha512 } = chosen
  const listed = { url, sha512: sha512 ?? '', size: 0, signature: '' }
  const beside = nameBeside(listed)
  const artifact =
    beside === undefined
      ? artifactOf({ ...listed, url: url.replace(/#.*$/, '') }, release.facts.artifacts)
      : fileBeside(release.facts, 'electron', beside)
  return isFor(artifact, release.facts.artifacts, platform, arch)
    ? []
    : [{ code: 'wrong_file', expected: arch, file: artifact ? nameOfFile(artifact) : url }]
}

/** A device may be offered the file of every arch beside its own: it has to take its own. */
function isFor(
  artifact: Artifact | undefined,
  artifacts: readonly Artifact[],
  platform: string,
  arch: string,
): boolean {
  const fitting = CLIENT_FILES.electron_updater.choose(artifacts, platform, arch)
  return artifact !== undefined && fitting.includes(artifact)
}

/** `getFileList`. */
function filesOf({ files, path, sha512 }: Manifest): File[] {
  if (files && files.length > 0) return files
  return path ? [{ url: path, sha512 }] : []
}

function fileFor(files: readonly File[], platform: string, arch: string, bundle: string) {
  switch (platform) {
    case 'windows':
      return findFile(files, 'exe', arch) ?? files[0]
    case 'darwin':
      return findFile(filesOnMac(files, arch), 'zip', arch, ['pkg', 'dmg'])
    default:
      return ['deb', 'rpm', 'pacman'].includes(bundle)
        ? findFile(files, bundle, arch, ['appimage', 'deb', 'rpm', 'pacman'])
        : findFile(files, 'appimage', arch, ['rpm', 'deb', 'pacman'])
  }
}

/** `filterFilesForArch` in `MacUpdater.ts`. */
function filesOnMac(files: readonly File[], arch: string): File[] {
  const isArm = ({ url }: File) => url.includes('arm64')
  const wanted = arch === 'arm64' && files.some(isArm)
  return files.filter((file) => isArm(file) === wanted)
}

function findFile(files: readonly File[], end: string, arch: string, not: readonly string[] = []) {
  const hasEnd = ({ url }: File, ends: readonly string[]) => {
    const path = new URL(url, BASE).pathname.toLowerCase()
    return ends.some((each) => path.endsWith(`.${each}`))
  }
  const fitting = files.filter((file) => hasEnd(file, [end]))
  const own = fitting.find(({ url }) => url.includes(arch)) ?? fitting[0]
  if (own !== undefined || not.length === 0) return own
  return files.find((file) => !hasEnd(file, not))
}
