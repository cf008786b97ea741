import { useCallback, useEffect, useRef, useState } from 'react'
import { hashFile } from './hash-file.ts'

/** How far the hashing of a file is. A job that is done is in the list no more. */
export interface HashJob {
  readonly file: File
  readonly done: number
  readonly state: 'running' | 'cancelled' | 'failed'
  /** Why it failed; empty otherwise. */
  readonly reason: string
}

type Jobs = ReadonlyMap<string, HashJob>

/** Hashes files in the background, each for one row. Everything ends with the component. */
export function useHashing(onHashed: (id: string, sha512: string) => void): {
  jobs: Jobs
  start: (id: string, file: File) => void
  /** Ends a job, and keeps its file for another start. */
  cancel: (id: string) => void
  /** Ends a job for good, with its row. */
  drop: (id: string) => void
} {
  const [jobs, setJobs] = useState<Jobs>(new Map())
  const running = useRef(new Map<string, AbortController>())
  const report = useRef(onHashed)
  report.current = onHashed

  const stop = useCallback((id: string) => {
    running.current.get(id)?.abort()
    running.current.delete(id)
  }, [])

  const start = useCallback(
    (id: string, file: File) => {
      stop(id)
      const controller = new AbortController()
      running.current.set(id, controller)
      const current = () => running.current.get(id) === controller
      const show = (job: Partial<HashJob>) =>
        setJobs((known) => {
          const fresh: HashJob = { file, done: 0, state: 'running', reason: '', ...job }
          return new Map(known).set(id, fresh)
        })
      show({})
      hashFile(file, (done) => current() && show({ done }), controller.signal).then(
        (sha512) => {
          if (!current()) return
          running.current.delete(id)
          setJobs((known) => without(known, id))
          report.current(id, sha512)
        },
        (error: unknown) => {
          if (!current()) return
          running.current.delete(id)
          show({ state: 'failed', reason: error instanceof Error ? error.message : String(error) })
        },
      )
    },
    [stop],
  )

  const cancel = useCallback(
    (id: string) => {
      stop(id)
      setJobs((known) => {
        const job = known.get(id)
        return job === undefined ? known : new Map(known).set(id, { ...job, state: 'cancelled' })
      })
    },
    [stop],
  )

  const drop = useCallback(
    (id: string) => {
      stop(id)
      setJobs((known) => without(known, id))
    },
    [stop],
  )

  useEffect(() => {
    const controllers = running.current
    return () => {
      for (const controller of controllers.values()) controller.abort()
      controllers.clear()
    }
  }, [])

  return { jobs, start, cancel, drop }
}

function without(jobs: Jobs, id: string): Jobs {
  const rest = new Map(jobs)
  rest.delete(id)
  return rest
}
