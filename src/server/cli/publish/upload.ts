import type { ArtifactDraft } from '../../../shared/artifacts/artifact.ts'
import { fileNameOfRow } from '../../../shared/artifacts/rows.ts'
import { UsageError } from '../errors.ts'
import type { CommandOptions } from '../options.ts'
import { report } from '../output.ts'
import { text } from '../strings/publish.ts'
import type { BuiltFile } from './built-file.ts'

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
      uploaded.push({ ...row, url: hosted.url })
    }
    return uploaded
  })
}
