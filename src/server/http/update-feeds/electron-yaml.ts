import { stringify } from 'yaml'
import type { Artifact } from '../../../shared/release.ts'
import type { ServedRelease } from '../../catalog/snapshot.ts'
import { addressWithArch } from './electron-files.ts'

/**
 * Returns `latest.yml` of a release as electron-builder writes it, with absolute addresses. `path` and `sha512` are
 * those of the first file, for clients older than `files`. There is no `stagingPercentage`: the server decides.
 */
export function electronYaml(
  { facts, version }: ServedRelease,
  files: readonly Artifact[],
): string {
  const listed = files.map((artifact) => ({
    url: addressWithArch(artifact),
    sha512: sha512InBase64(artifact.sha512),
    ...(artifact.size > 0 ? { size: artifact.size } : {}),
  }))
  const [first] = listed
  const content = {
    version: version.text,
    files: listed,
    ...(first === undefined ? {} : { path: first.url, sha512: first.sha512 }),
    ...(facts.notes === '' ? {} : { releaseNotes: facts.notes }),
    releaseDate: facts.createdAt,
  }
  // Every text is quoted: a version such as 1.10 would be a number.
  return stringify(content, {
    defaultStringType: 'QUOTE_DOUBLE',
    defaultKeyType: 'PLAIN',
    lineWidth: 0,
    doubleQuotedMinMultiLineLength: Number.POSITIVE_INFINITY,
    aliasDuplicateObjects: false,
  })
}

/** electron-updater compares in base64; publishers give hex or base64. */
function sha512InBase64(hash: string): string {
  return hash.length === 128 ? Buffer.from(hash, 'hex').toString('base64') : hash
}
