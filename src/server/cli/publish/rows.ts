import type { ArtifactDraft } from '../../../shared/artifacts/artifact.ts'
import { publishedDetails } from '../../../shared/artifacts/details.ts'
import { fileNameOfRow } from '../../../shared/artifacts/rows.ts'
import { issueOf } from '../../../shared/issue.ts'
import { Artifact } from '../../../shared/releases/release.ts'
import { UsageError } from '../command/errors.ts'
import type { CommandOptions } from '../command/options.ts'
import { report } from '../command/output.ts'
import { text } from '../strings/publish.ts'
import type { BuiltFile } from './built-file.ts'

/** Takes the place of a SHA-512 that the upload will tell, while the rest is checked. */
const PENDING = '0'.repeat(128)

/** Converts rows to artifacts. A SHA-512 may be missing if it `isPending`. Throws `UsageError` with the file and what it lacks. */
export function artifactsOf(
  rows: readonly ArtifactDraft[],
  notes: string,
  isPending: boolean,
): Artifact[] {
  return rows.map((row) => {
    const name = fileNameOfRow(row) || (row.listed?.entry ?? '')
    if (row.url === '') throw new UsageError(text.needsBase(name))
    if (row.sha512 === '' && !isPending) throw new UsageError(text.needsHash(name))
    const { platform, arch, kind, url, sha512, size, signature } = row
    const result = Artifact.safeParse({
      ...{ platform, arch, kind, url, signature },
      ...publishedDetails(row, notes),
      sha512: sha512 || PENDING,
      size: size === '' ? 0 : Number(size),
    })
    if (result.success) return sha512 === '' ? { ...result.data, sha512 } : result.data
    const { path, reason } = issueOf(result.error, undefined)
    throw new UsageError(text.wrongArtifact(name, path.join('.'), reason))
  })
}

/**
 * Uploads the built file of every row to the server, one after the other, and returns the rows with the addresses that
 * they have there. `maps`: the block maps of files, by the paths of those. Throws `UsageError` before anything is sent if a row
 * has no built file.
 */
export async function uploadRows(
  rows: readonly ArtifactDraft[],
  built: ReadonlyMap<string, BuiltFile>,
  maps: ReadonlyMap<string, BuiltFile>,
  options: CommandOptions,
): Promise<ArtifactDraft[]> {
  const found = rows.map((row) => {
    const file = built.get(row.id)
    if (file === undefined) throw new UsageError(text.nothingToUpload(fileNameOfRow(row)))
    return { row, file }
  })
  const { withFiles } = await import('../files/with-files.ts')
  return await withFiles(options, async (client) => {
    const uploaded: ArtifactDraft[] = []
    for (const { row, file } of found) {
      const map = maps.get(file.path)
      if (map !== undefined) await client.upload(map)
      const { file: hosted, sent } = await client.upload(file)
      report(sent ? text.uploaded(hosted.url, hosted.size) : text.alreadyUploaded(hosted.url))
      uploaded.push({ ...row, url: hosted.url, relative: '' })
    }
    return uploaded
  })
}
