import { expect } from 'vitest'
import { compareVersions, parseVersion } from '../../../src/server/rules/decision/version.ts'

/** A package as updaters read it from a feed. */
export interface OfferedPackage {
  readonly name: string
  readonly version: string
  readonly isDelta: boolean
  readonly sha1: string
  readonly size: number
  readonly url: string
}

/** A line as `ReleaseEntry.cs` of Squirrel.Windows reads it. */
const LINE = /^([0-9a-fA-F]{40})\s+(\S+)\s+(\d+)[\r]*$/

/** Reads `RELEASES` as Squirrel.Windows does; addresses follow `base`, the folder of the list. */
export function readReleases(text: string, base: string): OfferedPackage[] {
  return text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      expect(line).toMatch(LINE)
      const [, sha1 = '', address = '', size = ''] = LINE.exec(line) ?? []
      const url = new URL(address, base).href
      const name = decodeURIComponent(new URL(url).pathname.split('/').at(-1) ?? '')
      const version = /-(\d+\.\d+\.\d+.*)-(?:full|delta)\.nupkg$/.exec(name)?.[1] ?? ''
      const isDelta = name.endsWith('-delta.nupkg')
      return { name, version, isDelta, sha1: sha1.toLowerCase(), size: Number(size), url }
    })
}

/** Reads a feed as Velopack does. */
export function readAssets(text: string): OfferedPackage[] {
  return JSON.parse(text).Assets.map((each: Record<string, string>) => ({
    ...{ name: each.FileName, version: each.Version, isDelta: each.Type === 'Delta' },
    ...{ sha1: each.SHA1?.toLowerCase(), size: each.Size, url: '' },
  }))
}

/**
 * Returns what Squirrel.Windows downloads (`UpdateInfo.Create`): all deltas above what it runs if they are smaller than the
 * latest full package, else that one.
 */
export function chosenBySquirrel(running: string, packages: readonly OfferedPackage[]): string[] {
  const full = latestFull(packages)
  if (full === undefined) throw new Error('There should always be at least one full release')
  if (!isAbove(full, running)) return []
  const deltas = deltasAbove(running, packages)
  const size = deltas.reduce((total, each) => total + each.size, 0)
  return (size > 0 && size < full.size ? deltas : [full]).map(({ name }) => name)
}

/**
 * Returns what Velopack downloads (`CreateDeltaUpdateStrategy` in `UpdateManager.cs`): all deltas above what it runs if one
 * leads to the latest version, unless they are more than ten or larger than the full package.
 */
export function chosenByVelopack(running: string, packages: readonly OfferedPackage[]): string[] {
  const full = latestFull(packages)
  if (full === undefined || !isAbove(full, running)) return []
  const deltas = deltasAbove(running, packages)
  const size = deltas.reduce((total, each) => total + each.size, 0)
  const isUsed =
    deltas.some(({ version }) => version === full.version) &&
    deltas.length <= 10 &&
    size <= full.size
  return (isUsed ? deltas : [full]).map(({ name }) => name)
}

function latestFull(packages: readonly OfferedPackage[]): OfferedPackage | undefined {
  const latest = packages.filter((each) => !packages.some((other) => isAbove(other, each.version)))
  return latest.find(({ isDelta }) => !isDelta)
}

function deltasAbove(running: string, packages: readonly OfferedPackage[]): OfferedPackage[] {
  return packages
    .filter((each) => each.isDelta && isAbove(each, running))
    .sort((one, other) => (isAbove(one, other.version) ? 1 : -1))
}

function isAbove({ version }: OfferedPackage, other: string): boolean {
  return compareVersions(parseVersion(version), parseVersion(other)) > 0
}
