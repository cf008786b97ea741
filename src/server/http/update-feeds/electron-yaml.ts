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
  return [
    ...members({ version: version.text }),
    'files:',
    ...listed.flatMap((file) =>
      members(file).map((line, at) => `${at === 0 ? '  - ' : '    '}${line}`),
    ),
    ...members(first === undefined ? {} : { path: first.url, sha512: first.sha512 }),
    ...members(facts.notes === '' ? {} : { releaseNotes: facts.notes }),
    ...members({ releaseDate: facts.createdAt }),
    '',
  ].join('\n')
}

/**
 * Members of a mapping, a line each. Every text is quoted: a version such as 1.10 would be a number. A text in JSON is one in
 * YAML (YAML 1.2.2, section 1.3), but for line breaks that readers of YAML 1.1 know.
 */
function members(mapping: Readonly<Record<string, string | number>>): string[] {
  return Object.entries(mapping).map(([name, value]) => `${name}: ${quoted(value)}`)
}

function quoted(value: string | number): string {
  const escaped = (character: string) =>
    `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  return JSON.stringify(value).replace(/[\u0080-\u009f\u2028\u2029\ufeff]/g, escaped)
}

/** electron-updater compares in base64; publishers give hex or base64. */
function sha512InBase64(hash: string): string {
  return hash.length === 128 ? Buffer.from(hash, 'hex').toString('base64') : hash
}
