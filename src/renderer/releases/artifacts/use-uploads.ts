import { useEffect, useRef } from 'react'
import type { ArtifactDraft } from '../../../shared/artifacts/artifact.ts'
import { sha512InHex } from '../../../shared/artifacts/sha512.ts'
import { uploadFile } from '../../bridge/uploads.ts'
import { useJobs } from './use-jobs.ts'

interface Options {
  readonly isOn: boolean
  readonly rows: readonly ArtifactDraft[]
  /** The files of rows, by the ids of those. */
  readonly files: ReadonlyMap<string, File>
  readonly onUploaded: (id: string, url: string) => void
}

/**
 * Uploads the files of rows that have no URL, one after the other, once their SHA-512 is computed. Everything ends with the
 * component; the server keeps what has arrived for a day. `resume` goes on with an upload that was cancelled or has failed.
 */
export function useUploads({ isOn, rows, files, onUploaded }: Options) {
  const { jobs, start, cancel, drop } = useJobs<File>()
  const report = useRef(onUploaded)
  report.current = onUploaded
  useEffect(() => {
    const [running] = [...jobs].find(([, { state }]) => state === 'running') ?? []
    const isWanted = isOn && rows.some(({ id }) => id === running)
    if (running !== undefined && !isWanted) drop(running)
    if (!isOn || isWanted) return
    for (const { id, url, sha512 } of rows) {
      const file = files.get(id)
      if (file === undefined || url !== '' || sha512 === '' || jobs.has(id)) continue
      start(
        id,
        { subject: file, total: file.size },
        (onProgress, signal) =>
          uploadFile(file, {
            ...{ sha512: sha512InHex(sha512), signal },
            onProgress: (done) => onProgress({ done }),
          }),
        (uploaded) => report.current(id, uploaded),
      )
      return
    }
  }, [isOn, rows, files, jobs, start, drop])
  return { jobs, resume: drop, cancel }
}
