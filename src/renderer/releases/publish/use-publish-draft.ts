import { useState } from 'react'
import type { ArtifactDraft } from '../artifacts/draft.ts'
import { readDropped } from '../artifacts/dropped.ts'
import { mergeRows } from '../artifacts/rows.ts'
import { type HashJob, useHashing } from '../artifacts/use-hashing.ts'
import { emptyDraft, type PublishDraft } from './draft.ts'

/** The release that is being written, with the files that are being hashed for it. */
export function usePublishDraft(place: { app: string; channel: string }): {
  draft: PublishDraft
  /** What the last files left out, or what they lack. */
  remarks: readonly string[]
  jobs: ReadonlyMap<string, HashJob>
  change: (parts: Partial<PublishDraft>) => void
  takeFiles: (files: File[]) => Promise<void>
  hash: (id: string, file: File) => void
  cancelHash: (id: string) => void
  removeArtifact: (id: string) => void
} {
  const [draft, setDraft] = useState(() => emptyDraft(place.app, place.channel))
  const [remarks, setRemarks] = useState<readonly string[]>([])
  const { jobs, start, cancel, drop } = useHashing((id, sha512) => editRow(id, { sha512 }))

  const change = (parts: Partial<PublishDraft>) => setDraft((known) => ({ ...known, ...parts }))

  function editRow(id: string, parts: Partial<ArtifactDraft>) {
    setDraft((known) => ({
      ...known,
      artifacts: known.artifacts.map((row) => (row.id === id ? { ...row, ...parts } : row)),
    }))
  }

  const takeFiles = async (files: File[]) => {
    const before = draft.artifacts
    const dropped = await readDropped(files, before, draft.base)
    setRemarks(dropped.remarks)
    setDraft((known) => ({
      ...known,
      // What was typed stays: a manifest fills in only what is still empty.
      version: known.version || dropped.version.replace(/^v/, ''),
      notes: known.notes || dropped.notes,
      artifacts: mergeRows(known.artifacts, before, dropped.artifacts),
    }))
    for (const { id, file } of dropped.hashing) start(id, file)
  }

  const removeArtifact = (id: string) => {
    drop(id)
    setDraft((known) => ({ ...known, artifacts: known.artifacts.filter((row) => row.id !== id) }))
  }

  return {
    draft,
    remarks,
    jobs,
    change,
    takeFiles,
    hash: start,
    cancelHash: cancel,
    removeArtifact,
  }
}
