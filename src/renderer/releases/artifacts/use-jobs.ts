import { useCallback, useEffect, useRef, useState } from 'react'
import { messageOf } from '../../../shared/basics/message-of.ts'

/** Something that is done with the file of a row, and how far it is. A job that is done is in the list no more. */
export interface Job<Subject> {
  readonly subject: Subject
  /** Bytes. */
  readonly done: number
  /** Bytes; 0 if that is not known. */
  readonly total: number
  readonly state: 'running' | 'cancelled' | 'failed'
  /** Why it failed; empty otherwise. */
  readonly reason: string
}

/** Jobs by the ids of their rows. */
export type Jobs<Subject> = ReadonlyMap<string, Job<Subject>>

/** Hears how far a job is. */
export type OnProgress = (progress: { readonly done: number; readonly total?: number }) => void

/** Holds jobs, one for each row. Everything ends with the component. */
export function useJobs<Subject>() {
  const [jobs, setJobs] = useState<Jobs<Subject>>(new Map())
  const running = useRef(new Map<string, AbortController>())
  const set = useCallback((id: string, job: Job<Subject> | undefined) => {
    setJobs((known) => {
      const next = new Map(known)
      if (job === undefined) next.delete(id)
      else next.set(id, job)
      return next
    })
  }, [])
  const end = useCallback((id: string) => {
    running.current.get(id)?.abort()
    running.current.delete(id)
  }, [])
  /** Begins a job in place of the one that the row has. `onDone` is called unless it was ended. */
  const start = useCallback(
    <Result>(
      id: string,
      { subject, total }: Pick<Job<Subject>, 'subject' | 'total'>,
      work: (onProgress: OnProgress, signal: AbortSignal) => Promise<Result>,
      onDone: (result: Result) => void,
    ) => {
      end(id)
      const controller = new AbortController()
      const { signal } = controller
      running.current.set(id, controller)
      const show = (part: Partial<Job<Subject>>) =>
        signal.aborted ||
        set(id, { subject, done: 0, total, state: 'running', reason: '', ...part })
      show({})
      work(show, signal).then(
        (result) => {
          if (signal.aborted) return
          running.current.delete(id)
          set(id, undefined)
          onDone(result)
        },
        (error: unknown) => {
          if (signal.aborted) return
          running.current.delete(id)
          show({ state: 'failed', reason: messageOf(error) })
        },
      )
    },
    [end, set],
  )
  /** Ends a job, and keeps what it is about for another start. */
  const cancel = useCallback(
    (id: string) => {
      end(id)
      setJobs((known) => {
        const job = known.get(id)
        return job === undefined ? known : new Map(known).set(id, { ...job, state: 'cancelled' })
      })
    },
    [end],
  )
  /** Ends a job for good. */
  const drop = useCallback(
    (id: string) => {
      end(id)
      set(id, undefined)
    },
    [end, set],
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
