import { useEffect, useState } from 'react'
import {
  type BackupSource,
  type Inspection,
  type KeptCopy,
  RESTORE_CONFIRMATION,
  type RestoreOutcome,
} from '../../../shared/console/settings/backups.ts'
import { uploadBackup } from '../../bridge/browser/files.ts'
import { isDesktop, serverClient, shellClient } from '../../bridge/clients.ts'
import { consoleErrorOf } from '../../bridge/error.ts'

/** A backup that a person wants to restore: from the list, a file of this computer, or one to upload. */
export type ChosenBackup =
  | { readonly kind: 'listed'; readonly copy: KeptCopy }
  | { readonly kind: 'path'; readonly path: string }
  | { readonly kind: 'file'; readonly file: File }

/** A backup that can be read and restored, wherever that happens. */
export interface ReachableBackup {
  inspect(): Promise<Inspection>
  /** Resolves once the server runs again; to undefined if the person has to sign in to see how it went. */
  restore(): Promise<RestoreOutcome | undefined>
  /** Deletes what was uploaded for it. */
  discard(): void
}

/** Milliseconds between two looks whether the server runs again. */
const LOOK = 1_000

/** Returns what a person knows the backup by. */
export function nameOf(chosen: ChosenBackup): string {
  if (chosen.kind === 'path') return chosen.path
  if (chosen.kind === 'file') return chosen.file.name
  return isDesktop() ? chosen.copy.file : chosen.copy.name
}

/** Has a backup uploaded if need be. `signal` ends that, and the waiting for a server that restarts. */
async function reach(
  chosen: ChosenBackup,
  onProgress: (part: number) => void,
  signal: AbortSignal,
): Promise<ReachableBackup> {
  if (chosen.kind === 'path') return byDesktop(chosen.path)
  if (chosen.kind === 'listed') {
    const { file, name } = chosen.copy
    return isDesktop() ? byDesktop(file) : byServer({ kind: 'listed', name }, signal)
  }
  const { file } = chosen
  await serverClient.backups.checkUpload.query({ bytes: file.size })
  const { id } = await uploadBackup(file, { onProgress, signal })
  return byServer({ kind: 'uploaded', id }, signal)
}

/** The main process of the desktop app reads the file, and restarts the server. */
function byDesktop(file: string): ReachableBackup {
  return {
    inspect: () => shellClient.shell.inspectBackup.mutate({ file }),
    restore: () => shellClient.shell.restoreBackup.mutate({ file }),
    discard() {},
  }
}

/** The server reads the backup, and is restarted by what started it. */
function byServer(source: BackupSource, signal: AbortSignal): ReachableBackup {
  let isUsed = false
  return {
    inspect: () => serverClient.backups.inspect.mutate(source),
    async restore() {
      const before = (await serverClient.backups.restoreStatus.query()).last
      const confirmation = RESTORE_CONFIRMATION
      const begun = await serverClient.backups.restore.mutate({ source, confirmation })
      isUsed = begun.ok
      return begun.ok ? await outcomeAfter(before?.at, signal) : begun
    },
    discard() {
      if (source.kind !== 'uploaded' || isUsed) return
      // The server deletes it by itself before long.
      serverClient.backups.discardUpload.mutate({ id: source.id }).catch(() => {})
    },
  }
}

async function outcomeAfter(
  before: string | undefined,
  signal: AbortSignal,
): Promise<RestoreOutcome | undefined> {
  while (!signal.aborted) {
    await new Promise((resolve) => setTimeout(resolve, LOOK))
    try {
      const { last } = await serverClient.backups.restoreStatus.query()
      if (last !== null && last.at !== before) return last.outcome
    } catch (error) {
      const { code } = consoleErrorOf(error)
      // A restore ends all sessions.
      if (code === 'unauthenticated') return undefined
      if (code !== 'unavailable') throw error
    }
  }
  return undefined
}

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
