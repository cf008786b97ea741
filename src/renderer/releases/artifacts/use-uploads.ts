import { useCallback, useEffect, useRef, useState } from 'react'
import type { ArtifactDraft } from '../../../shared/artifacts/artifact.ts'
import { sha512InHex } from '../../../shared/artifacts/sha512.ts'
import { messageOf } from '../../../shared/basics/message-of.ts'
import { uploadFile } from '../../bridge/uploads.ts'

/** How far something with the file of a row is. A job that is done is in the list no more. */
export interface Job {
  /** Bytes. */
  readonly done: number
  readonly state: 'running' | 'cancelled' | 'failed'
  /** Why it failed; empty otherwise. */
  readonly reason: string
}

/** Holds jobs by the ids of their rows. `set`: without a job, there is none any more. */
export function useJobs<Each extends Job>() {
  const [jobs, setJobs] = useState<ReadonlyMap<string, Each>>(new Map())
  const set = useCallback((id: string, job: Each | undefined) => {
    setJobs((known) => {
      const next = new Map(known)
      if (job === undefined) next.delete(id)
      else next.set(id, job)
      return next
    })
  }, [])
  const cancel = useCallback((id: string) => {
    setJobs((known) => {
      const job = known.get(id)
      return job === undefined ? known : new Map(known).set(id, { ...job, state: 'cancelled' })
    })
  }, [])
  return { jobs, set, cancel }
}

/** The upload of a file. */
export interface UploadJob extends Job {
  readonly file: File
}

export type UploadJobs = ReadonlyMap<string, UploadJob>

interface Options {
  readonly isOn: boolean
  readonly rows: readonly ArtifactDraft[]
  /** The files of rows, by the ids of those. */
  readonly files: ReadonlyMap<string, File>
  readonly onUploaded: (id: string, url: string) => void
}

/**
 * Uploads the files of rows that have no URL, one after the other, once their SHA-512 is computed. Everything ends with the
 * component; the server keeps what has arrived for a day.
 */
export function useUploads({ isOn, rows, files, onUploaded }: Options): {
  jobs: UploadJobs
  /** Goes on with an upload that was cancelled or has failed. */
  resume: (id: string) => void
  cancel: (id: string) => void
} {
  const { jobs, set, cancel: showCancelled } = useJobs<UploadJob>()
  const running = useRef<{ readonly id: string; readonly controller: AbortController }>(undefined)
  const report = useRef(onUploaded)
  report.current = onUploaded

  const start = useCallback(
    (id: string, file: File, sha512: string) => {
      const controller = new AbortController()
      const { signal } = controller
      running.current = { id, controller }
      const show = (done: number) =>
        signal.aborted || set(id, { file, done, state: 'running', reason: '' })
      show(0)
      uploadFile(file, { sha512, onProgress: show, signal }).then(
        (url) => {
          if (running.current?.controller === controller) running.current = undefined
          set(id, undefined)
          if (!signal.aborted) report.current(id, url)
        },
        (error: unknown) => {
          if (running.current?.controller === controller) running.current = undefined
          if (signal.aborted) return
          const reason = messageOf(error)
          set(id, { file, done: 0, state: 'failed', reason })
        },
      )
    },
    [set],
  )

  const cancel = useCallback(
    (id: string) => {
      if (running.current?.id === id) {
        running.current.controller.abort()
        running.current = undefined
      }
      showCancelled(id)
    },
    [showCancelled],
  )
  const resume = useCallback((id: string) => set(id, undefined), [set])

  useEffect(() => {
    const id = running.current?.id
    if (id !== undefined && (!isOn || !rows.some((row) => row.id === id))) {
      cancel(id)
      set(id, undefined)
    }
    if (!isOn || running.current !== undefined) return
    for (const { id, url, sha512 } of rows) {
      const file = files.get(id)
      if (file === undefined || url !== '' || sha512 === '' || jobs.has(id)) continue
      start(id, file, sha512InHex(sha512))
      return
    }
  }, [isOn, rows, files, jobs, start, cancel, set])

  useEffect(() => () => running.current?.controller.abort(), [])

  return { jobs, resume, cancel }
}
