import { useCallback, useMemo, useRef, useState } from 'react'
import { type ArtifactDraft, newArtifact } from '../artifacts/artifact.ts'
import type { RowActions } from '../artifacts/artifact-row.tsx'
import { readDropped } from '../artifacts/dropped.ts'
import type { ImportRemark } from '../artifacts/imported.ts'
import { fileNameOfRow, mergeRows, withBase } from '../artifacts/rows.ts'
import { type HashJob, useHashing } from '../artifacts/use-hashing.ts'
import type { PublishDraft } from './draft.ts'

/** The release that is being written, with the files that are being hashed for it. */
export function usePublishDraft(initial: () => PublishDraft): {
  draft: PublishDraft
  /** What the last files left out, or what they lack. */
  remarks: readonly ImportRemark[]
  jobs: ReadonlyMap<string, HashJob>
  change: (parts: Partial<PublishDraft>) => void
  setBase: (base: string) => void
  addArtifact: () => void
  takeFiles: (files: File[]) => Promise<void>
  rowActions: RowActions
} {
  const [draft, setDraft] = useState(initial)
  const [remarks, setRemarks] = useState<readonly ImportRemark[]>([])
  const signatures = useRef<ReadonlyMap<string, string>>(new Map())
  const setRows = useCallback(
    (update: (rows: readonly ArtifactDraft[]) => readonly ArtifactDraft[]) =>
      setDraft((known) => ({ ...known, artifacts: update(known.artifacts) })),
    [],
  )
  const { jobs, start, cancel, drop } = useHashing((id, sha512) =>
    setRows((rows) => withHash(rows, id, sha512)),
  )
  const change = useCallback(
    (parts: Partial<PublishDraft>) => setDraft((known) => ({ ...known, ...parts })),
    [],
  )
  const rowActions = useMemo<RowActions>(
    () => ({
      edit: (id, parts) =>
        setRows((rows) => rows.map((row) => (row.id === id ? { ...row, ...parts } : row))),
      remove: (id) => {
        drop(id)
        setRows((rows) => rows.filter((row) => row.id !== id))
      },
      hash: start,
      cancelHash: cancel,
    }),
    [setRows, start, cancel, drop],
  )

  const takeFiles = async (files: File[]) => {
    const { artifacts: before, base } = draft
    const target = { artifacts: before, signatures: signatures.current, base }
    const dropped = await readDropped(files, target)
    signatures.current = dropped.signatures
    setRemarks(dropped.remarks)
    setDraft((known) => ({
      ...known,
      // What was typed stays: a manifest fills in only what is still empty.
      version: known.version || dropped.version.replace(/^v/, ''),
      notes: known.notes || dropped.notes,
      artifacts: mergeRows(known.artifacts, before, dropped.artifacts),
    }))
    const left = new Set(dropped.artifacts.map(({ id }) => id))
    for (const { id } of before) if (!left.has(id)) drop(id)
    for (const { id, file } of dropped.hashing) start(id, file)
  }

  return {
    draft,
    remarks,
    jobs,
    change,
    setBase: (base) =>
      setDraft((known) => ({
        ...known,
        base,
        artifacts: withBase(known.artifacts, known.base, base),
      })),
    addArtifact: () => setRows((rows) => [...rows, newArtifact()]),
    takeFiles,
    rowActions,
  }
}

/** Several rows can be of one file, which is hashed once. */
function withHash(rows: readonly ArtifactDraft[], id: string, sha512: string): ArtifactDraft[] {
  const hashed = rows.find((row) => row.id === id)
  return rows.map((row) => {
    const isTwin =
      hashed !== undefined && row.file !== null && fileNameOfRow(row) === fileNameOfRow(hashed)
    return row.id === id || (isTwin && row.sha512 === '') ? { ...row, sha512 } : row
  })
}
