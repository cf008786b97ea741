import { useCallback, useMemo, useRef, useState } from 'react'
import { type ArtifactDraft, newArtifact } from '../../../shared/artifacts/artifact.ts'
import { readDropped } from '../../../shared/artifacts/dropped.ts'
import { guessAppName } from '../../../shared/artifacts/guess.ts'
import { currentRemarks, type ImportRemark } from '../../../shared/artifacts/imported.ts'
import { fileNameOfRow, mergeRows, withBase } from '../../../shared/artifacts/rows.ts'
import type { ExpectedInput } from '../../../shared/console/releases/plans.ts'
import type { SignedDocument } from '../../../shared/files/signed-document.ts'
import type { PlanPreset } from '../../../shared/plans/plan-presets.ts'
import type { PublishBody } from '../../../shared/releases/release.ts'
import type { RowActions } from '../artifacts/artifact-row.tsx'
import { fileToMeasure } from '../artifacts/draft.ts'
import { type Hashed, type HashSource, useHashing } from '../artifacts/use-hashing.ts'
import type { Jobs } from '../artifacts/use-jobs.ts'
import { useUploads } from '../artifacts/use-uploads.ts'
import { useRecommended } from '../plans/choice/rollout-choice.tsx'
import { type ExpectedDevices, type PlanAt, useExpected } from '../plans/schedule/plan-schedule.tsx'
import { readTargets } from '../targets/draft.ts'
import { appOf, namedApp, type PublishDraft, type PublishRead, withRecommended } from './draft.ts'

/** The release that is being written, with the files that are being hashed for it. */
export function usePublishDraft(
  initial: () => PublishDraft,
  isUploading: boolean,
): {
  draft: PublishDraft
  /** How to roll it out, unless somebody chooses. */
  recommended: PlanPreset
  /** What the last files left out, or what they still lack. */
  remarks: readonly ImportRemark[]
  jobs: Jobs<HashSource>
  uploads: Jobs<File>
  change: (parts: Partial<PublishDraft>) => void
  /** For single fields. */
  set: ReturnType<typeof settersOf>
  setBase: (base: string) => void
  addArtifact: () => void
  takeFiles: (files: File[]) => Promise<void>
  rowActions: RowActions
} {
  const [written, setDraft] = useState(initial)
  const recommended = useRecommended(appOf(written), written.channel)
  const draft = useMemo(() => withRecommended(written, recommended), [written, recommended])
  const [remarks, setRemarks] = useState<readonly ImportRemark[]>([])
  const signatures = useRef<ReadonlyMap<string, string>>(new Map())
  const setRows = useCallback(
    (update: (rows: readonly ArtifactDraft[]) => readonly ArtifactDraft[]) =>
      setDraft((known) => ({ ...known, artifacts: update(known.artifacts) })),
    [],
  )
  const { jobs, start, cancel, drop } = useHashing((id, source, hashed) =>
    setRows((rows) => withHash(rows, id, source, hashed)),
  )
  // Replaced with every file, so that a new one is noticed.
  const [files, setFiles] = useState<ReadonlyMap<string, File>>(new Map())
  const hash = useCallback(
    (id: string, source: HashSource) => {
      if (source instanceof File) setFiles((known) => new Map(known).set(id, source))
      start(id, source)
    },
    [start],
  )
  const uploads = useUploads({
    isOn: isUploading,
    rows: draft.artifacts,
    files,
    onUploaded: (id, url) =>
      setRows((rows) => rows.map((row) => (row.id === id ? { ...row, url, relative: '' } : row))),
  })
  const { cancel: cancelUpload, resume: resumeUpload } = uploads
  const change = useCallback(
    (parts: Partial<PublishDraft>) => setDraft((known) => ({ ...known, ...parts })),
    [],
  )
  const set = useMemo(() => settersOf(change), [change])
  const rowActions = useMemo<RowActions>(
    () => ({
      edit: (id, parts) =>
        setRows((rows) => rows.map((row) => (row.id === id ? { ...row, ...parts } : row))),
      remove: (id) => {
        drop(id)
        setRows((rows) => rows.filter((row) => row.id !== id))
      },
      hash,
      cancelHash: cancel,
      resumeUpload,
      cancelUpload,
    }),
    [setRows, hash, cancel, drop, resumeUpload, cancelUpload],
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
      ...(known.newApp === '' ? namedApp(appNameOf(dropped.artifacts)) : {}),
      artifacts: mergeRows(known.artifacts, before, dropped.artifacts),
      documents: withDocuments(known.documents, dropped.documents),
    }))
    const left = new Set(dropped.artifacts.map(({ id }) => id))
    for (const { id } of before) if (!left.has(id)) drop(id)
    for (const { id, file } of dropped.hashing) hash(id, file)
    const fresh = dropped.artifacts.filter(({ id }) => !before.some((known) => known.id === id))
    const measured = new Set<string>()
    for (const row of fresh) {
      const remote = fileToMeasure(draft.app, row)
      // A manifest names one file for several platforms.
      if (remote === undefined || measured.has(remote.url)) continue
      measured.add(remote.url)
      hash(row.id, remote)
    }
  }

  return {
    draft,
    recommended,
    remarks: currentRemarks(remarks, draft.artifacts),
    jobs,
    uploads: uploads.jobs,
    change,
    set,
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

function appNameOf(rows: readonly ArtifactDraft[]): string {
  return rows.map((row) => guessAppName(fileNameOfRow(row))).find((name) => name !== '') ?? ''
}

/** A document takes the place of one of the same name. */
function withDocuments(known: readonly SignedDocument[], added: readonly SignedDocument[]) {
  if (added.length === 0) return known
  return [...new Map([...known, ...added].map((each) => [each.name, each])).values()]
}

/** Several rows can be of one file, which is hashed once. What was typed in the meantime stays. */
function withHash(
  rows: readonly ArtifactDraft[],
  id: string,
  source: HashSource,
  { sha512, size }: Hashed,
): ArtifactDraft[] {
  const hashed = rows.find((row) => row.id === id)
  return rows.map((row) => {
    if (!(source instanceof File)) {
      const isMeasured = row.url === source.url && row.sha512 === ''
      return isMeasured ? { ...row, sha512, size: row.size || String(size) } : row
    }
    const isTwin =
      hashed !== undefined && row.file !== null && fileNameOfRow(row) === fileNameOfRow(hashed)
    return row.id === id || (isTwin && row.sha512 === '') ? { ...row, sha512 } : row
  })
}

/** Returns the same functions for every render, so that only the field that changed is rendered. */
function settersOf(change: (parts: Partial<PublishDraft>) => void) {
  return {
    notes: (notes: string) => change({ notes }),
    rollout: (rollout: PublishDraft['rollout']) => change({ rollout }),
    targets: (targets: PublishDraft['targets']) => change({ targets }),
    documents: (documents: PublishDraft['documents']) => change({ documents }),
  }
}

/** On what the plan of a release is tried while the release is written, and how many devices its steps reach. */
export function usePlanTrial(
  draft: PublishDraft,
  read: PublishRead,
): { readonly at: PlanAt; readonly expected: ExpectedDevices | undefined } {
  const { channel, targets } = draft
  const app = appOf(draft)
  const at = useMemo(() => {
    const known = readTargets(targets)
    return { app, channel, targets: known.ok ? known.targets : undefined }
  }, [app, channel, targets])
  return { at, expected: useExpected(app !== '' && read.ok ? expectedInput(read.body) : undefined) }
}

/** Undefined for a release that reaches nobody: without a plan, or without files. */
function expectedInput(body: PublishBody): ExpectedInput | undefined {
  const { app, channel, version, plan, targets, artifacts } = body
  if (plan === undefined || artifacts.length === 0) return undefined
  return { app, channel, version, plan, release: { targets, artifacts } }
}
