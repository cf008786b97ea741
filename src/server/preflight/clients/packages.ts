import { z } from 'zod'
import {
  latestPackages,
  readPackages,
  squirrelVersion,
} from '../../../shared/artifacts/documents/package-list.ts'
import type { ListedPackage } from '../../../shared/artifacts/documents/read-document.ts'
import { parsedJson } from '../../../shared/basics/parsed-json.ts'
import type { ServedRelease } from '../../catalog/snapshot.ts'
import { compareVersions, parseVersion } from '../../rules/decision/version.ts'
import { nameOfFile } from '../../rules/updaters/files.ts'
import { isDelta, packageOf } from '../../rules/updaters/packages.ts'
import type { Fault, ReadAnswer } from './reading.ts'

/** What the client in Rust takes; that in C# takes null as well. */
const VelopackAsset = z.looseObject({
  PackageId: z.string().optional(),
  SHA256: z.string().optional(),
  NotesMarkdown: z.string().optional(),
  NotesHTML: z.string().optional(),
})
const VelopackFeed = z.looseObject({ Assets: z.array(VelopackAsset) })

/** Reads a feed as Velopack does, which installs the full package of the highest version, or deltas up to it: `manager.rs`. */
export const readVelopack: ReadAnswer = ({ body, device, release, allowDowngrade }) => {
  const isReadable = VelopackFeed.safeParse(parsedJson(body)).success
  const full = isReadable ? fullOf(readPackages('releases.any.json', body)) : undefined
  if (full === undefined) return [{ code: 'feed_unreadable' }]
  const { version: found, name: file } = full
  const version = parseVersion(found)
  const expected = release.version.text
  if (version.text !== expected) return [{ code: 'version_mismatch', expected, found, file }]
  const isAbove = allowDowngrade || compareVersions(version, device.version) > 0
  return isAbove ? [] : [{ code: 'version_not_above', found }]
}

/** `_versionRegex` of `VersionExtensions.cs`, of a name without its ending. */
const SQUIRREL_VERSION = /\d+(?:\.\d+){0,3}(?:-[a-z][\da-z-]*)?$/i

/**
 * Reads `RELEASES` as Squirrel.Windows does: `ReleaseEntry.cs`. It takes the version from the name of the package, where it
 * knows neither dots in a pre-release nor build metadata.
 */
export const readSquirrelWindows: ReadAnswer = ({ body, device, release, running }) => {
  const full = fullOf(readPackages('RELEASES', body))
  if (full === undefined) return [{ code: 'feed_unreadable' }]
  const { name: file, percentage } = full
  const found = versionInName(file)
  const expected = squirrelVersion(release.version.text)
  if (found.toLowerCase() !== expected.toLowerCase()) {
    return [{ code: 'version_unreadable', expected, found, file }]
  }
  const own = versionRunBy(running) ?? squirrelVersion(device.version.text)
  const faults: Fault[] = []
  if (compareAsSquirrel(found, own) <= 0) {
    faults.push({ code: 'version_not_above', expected: own, found })
  }
  if (percentage < 100) faults.push({ code: 'staged_by_document', found: `${percentage}%` })
  return faults
}

function fullOf(packages: readonly ListedPackage[] | undefined): ListedPackage | undefined {
  return packages && latestPackages(packages).find((each) => !each.isDelta)
}

function versionInName(file: string): string {
  const [found = ''] = SQUIRREL_VERSION.exec(file.replace(/(?:-full|-delta)?\.nupkg$/i, '')) ?? []
  return found
}

function versionRunBy(running: ServedRelease | undefined): string | undefined {
  const file = running?.facts.artifacts.find((each) => packageOf(each) && !isDelta(each))
  return file && versionInName(nameOfFile(file))
}

/** Orders versions as `SemanticVersion.cs` does: four numbers, then the pre-release as text without regard to case. */
export function compareAsSquirrel(one: string, other: string): number {
  const [a, b] = [partsOf(one), partsOf(other)]
  for (let at = 0; at < 4; at += 1) {
    const order = (a.numbers[at] ?? 0) - (b.numbers[at] ?? 0)
    if (order !== 0) return order
  }
  if (a.prerelease === b.prerelease) return 0
  if (a.prerelease === '' || b.prerelease === '') return a.prerelease === '' ? 1 : -1
  return a.prerelease < b.prerelease ? -1 : 1
}

function partsOf(version: string) {
  const [core = '', ...prerelease] = version.split('-')
  return { numbers: core.split('.').map(Number), prerelease: prerelease.join('-').toUpperCase() }
}
