import { useEffect, useState } from 'react'
import type { Inspection } from '../../../shared/console/backups.ts'
import { type ChosenBackup, type ReachableBackup, reach } from './chosen.ts'

/** How far a backup is on the way to being restored. */
export type Reading =
  /** `part`: from 0 to 1. */
  | { readonly step: 'uploading'; readonly part: number }
  | { readonly step: 'reading' }
  | { readonly step: 'read'; readonly inspection: Inspection; readonly backup: ReachableBackup }
  | { readonly step: 'failed'; readonly error: unknown }

/** Uploads and reads a backup while it is chosen. What was uploaded is deleted afterwards. */
export function useReachable(chosen: ChosenBackup | undefined): Reading {
  const [reading, setReading] = useState<Reading>({ step: 'reading' })
  useEffect(() => {
    if (chosen === undefined) return
    const ended = new AbortController()
    const show = (next: Reading) => !ended.signal.aborted && setReading(next)
    show(chosen.kind === 'file' ? { step: 'uploading', part: 0 } : { step: 'reading' })
    const work = async () => {
      const onProgress = (part: number) => show({ step: 'uploading', part })
      const backup = await reach(chosen, onProgress, ended.signal)
      ended.signal.addEventListener('abort', () => backup.discard())
      if (ended.signal.aborted) return backup.discard()
      show({ step: 'reading' })
      show({ step: 'read', inspection: await backup.inspect(), backup })
    }
    work().catch((error) => show({ step: 'failed', error }))
    return () => ended.abort()
  }, [chosen])
  return reading
}
