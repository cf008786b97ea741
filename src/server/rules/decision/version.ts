import {
  type ParsedVersion,
  prepareVersion,
  readVersion,
} from '../../../shared/releases/version.ts'

export {
  comparePrecedence,
  compareVersions,
  type ParsedVersion,
  prepareVersion,
} from '../../../shared/releases/version.ts'

/** Most versions that are remembered. A fleet runs a few hundred. */
const MAX_REMEMBERED = 10_000
const remembered = new Map<string, ParsedVersion>()

/** Reads a version, with or without a leading `v`. Throws a RangeError for what `readVersion` refuses. */
export function parseVersion(text: string): ParsedVersion {
  const known = remembered.get(text)
  if (known !== undefined) return known
  const read = readVersion(text)
  if (!read.ok) throw new RangeError(`version ${JSON.stringify(text)} ${read.reason}`)
  const version = prepareVersion(read.version)
  if (remembered.size >= MAX_REMEMBERED) remembered.clear()
  remembered.set(text, version)
  return version
}

/** Stands for the version of a device that does not name it: below every version, and empty in targets. */
export const UNKNOWN_VERSION: ParsedVersion = prepareVersion({
  ...{ text: '', core: [-1, 0, 0], prerelease: [], build: [] },
})
