import { Alert, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useEffect, useMemo, useRef, useState } from 'react'
import { artifactWarnings } from '../../../shared/artifacts/warnings.ts'
import type { AppName } from '../../../shared/console/apps.ts'
import type { ShownDraft } from '../../../shared/console/releases/drafts.ts'
import type { PublishBody } from '../../../shared/releases/release.ts'
import { server } from '../../bridge/clients.ts'
import { ErrorNotice, Panel } from '../../components/blocks.tsx'
import { duplicateFault } from '../../components/change/fault.ts'
import { focusFirstFault } from '../../components/dialog/keep-focus.ts'
import { LeaveGuard } from '../../components/dialog/leave-guard.tsx'
import { Quiet } from '../../components/text/words.tsx'
import { ArtifactRows, FilesIntake } from '../artifacts/artifacts-editor.tsx'
import type { ArtifactIssues } from '../artifacts/draft.ts'
import { RolloutChoice } from '../plans/choice/rollout-choice.tsx'
import { TargetsEditor } from '../targets/targets-editor.tsx'
import { ConfirmPublish, PublishFoot } from './confirm-publish.tsx'
import { appOf, hasInput, isEdited, type PublishDraft, readPublish } from './draft.ts'
import { ReleasePart, useVersionVerdict } from './place-fields.tsx'
import { SignedDocuments } from './signed-documents.tsx'
import { text, verdictInWords } from './strings.ts'
import { usePlanTrial, usePublishDraft } from './use-publish-draft.ts'
import { useDraftSaving, useNewApp, useSubmission } from './use-submission.ts'

interface Props {
  readonly apps: readonly AppName[]
  /** What the form starts with. */
  readonly initial: PublishDraft
  /** Said above the form. */
  readonly notice?: string | undefined
  /** The draft that is edited: its channel and version stay as they are. */
  readonly stored?: ShownDraft
  /** Called when the form comes to differ from what it started with, and when it no longer does. */
  readonly onEdited?: (isEdited: boolean) => void
  /** Called when it begins to be sent, and when it is no longer. */
  readonly onBusy?: (isBusy: boolean) => void
  /** Called with the draft after it was saved. */
  readonly onSaved?: (saved: ShownDraft) => void
}

/** Everything that a release is, checked while it is written; publishing asks once. */
export function PublishForm({ apps, initial, notice, stored, onEdited, onBusy, onSaved }: Props) {
  const storing = useQuery(server.files.stored.queryOptions())
  const canUpload = storing.data === true
  const [wantsUpload, setWantsUpload] = useState(true)
  const form = usePublishDraft(() => initial, canUpload && wantsUpload)
  const { draft, recommended, change, set } = form
  const [tried, setTried] = useState(false)
  const [lacksFiles, setLacksFiles] = useState(false)
  const [asked, setAsked] = useState<PublishBody>()
  const createApp = useNewApp(draft.newApp)
  const submission = useSubmission(draft, stored, createApp)
  const saving = useDraftSaving(stored, createApp, onSaved)
  const { isProposal } = submission
  const [comment, setComment] = useState('')
  const hasHosts = apps.find(({ ref }) => ref === draft.app)?.provable === true
  const element = useRef<HTMLFormElement>(null)
  const duplicate = duplicateFault(submission.error ?? saving.error)
  useEffect(() => {
    if (duplicate === undefined) return
    setAsked(undefined)
    if (element.current !== null) focusFirstFault(element.current)
  }, [duplicate])
  const edited = stored === undefined ? hasInput(draft) : isEdited(draft, initial)
  useEffect(() => onEdited?.(edited), [onEdited, edited])
  const busy = submission.isPending || saving.isPending
  useEffect(() => onBusy?.(busy), [onBusy, busy])
  const knownApp = appOf(draft)
  const verdict = useVersionVerdict(knownApp, draft.channel, draft.version)
  const read = readPublish(draft)
  const { at, expected } = usePlanTrial(draft, read)
  const warnings = useMemo(
    () => artifactWarnings(draft.artifacts, draft.version, canUpload && wantsUpload),
    [draft.artifacts, draft.version, canUpload, wantsUpload],
  )
  const issues = tried && !read.ok ? read.issues : undefined
  const hashing = [...form.jobs.values()].some(({ state }) => state === 'running')
  const uploading = [...form.uploads.values()].some(({ state }) => state === 'running')
  const taken = verdict?.state === 'duplicate' || verdict?.state === 'invalid'

  // A stored draft has no field for its version, where this would stand.
  const takenLine =
    stored !== undefined && tried && taken
      ? verdictInWords(verdict, `${draft.app}/${draft.channel}`)
      : undefined

  const filesLine = lacksFiles && draft.artifacts.length === 0 ? text.noFiles : undefined

  const tryWith = (use: (body: PublishBody) => void) => {
    setTried(true)
    if (read.ok && !hashing && !uploading && !taken) use(read.body)
    else if (element.current !== null) focusFirstFault(element.current)
  }
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    tryWith((body) => {
      setLacksFiles(body.artifacts.length === 0)
      // Never offered, and nothing can be added to it: it would only use the version up.
      if (body.artifacts.length > 0) setAsked(body)
    })
  }
  const reset = () => {
    submission.reset()
    saving.reset()
  }
  const notInDraft = <Quiet>{text.notInDraft}</Quiet>
  return (
    <>
      <form ref={element} onSubmit={submit} noValidate aria-label={text.release}>
        <Stack gap="md">
          {notice !== undefined && <Alert variant="light">{notice}</Alert>}
          <Panel title={text.files}>
            <FilesIntake
              value={draft.artifacts}
              base={draft.base}
              version={draft.version}
              remarks={form.remarks}
              warnings={warnings}
              uploads={canUpload ? { isOn: wantsUpload, onChange: setWantsUpload } : undefined}
              onBase={form.setBase}
              onFiles={(files) => void form.takeFiles(files)}
            />
          </Panel>
          <ReleasePart
            apps={apps}
            draft={draft}
            hasPlace={stored === undefined}
            issues={issues}
            duplicate={duplicate}
            onPlace={(parts) => {
              change(parts)
              reset()
            }}
            onNotes={set.notes}
          />
          <Panel title={text.artifacts}>
            <ArtifactRows
              app={knownApp}
              value={draft.artifacts}
              issues={issues?.artifacts ?? NO_ISSUES}
              jobs={form.jobs}
              uploads={canUpload ? form.uploads : undefined}
              actions={form.rowActions}
              onAdd={form.addArtifact}
            />
            <SignedDocuments value={draft.documents} onChange={set.documents} />
          </Panel>
          <Panel title={text.rollout} aside={notInDraft}>
            <RolloutChoice
              value={draft.rollout}
              recommended={recommended}
              at={at}
              expected={expected}
              showIssues={tried}
              onChange={set.rollout}
            />
          </Panel>
          <Panel title={text.targets} aside={notInDraft}>
            <TargetsEditor value={draft.targets} showIssues={tried} onChange={set.targets} />
          </Panel>
          {duplicate === undefined && <ErrorNotice error={saving.error} />}
        </Stack>
        <PublishFoot
          isHashing={hashing}
          isUploading={uploading}
          isInvalid={tried && (!read.ok || taken)}
          issue={issues?.artifactCount ?? issues?.place ?? takenLine ?? filesLine}
          isProposal={isProposal}
          isSaving={saving.isPending}
          onSave={() => tryWith((body) => saving.save(body))}
        />
      </form>
      {/* Outside of the form: what dialogs submit would reach it through the portal. */}
      <LeaveGuard
        wouldLose={() => !submission.isDone() && !saving.isDone() && edited}
        title={stored === undefined ? text.leaveTitle : text.leaveDraftTitle}
        action={text.leave}
        refusal={() => {
          if (saving.isPending && !saving.isDone()) return text.savingDraft(draft.version)
          return submission.isPending && !submission.isDone()
            ? text.publishing(asked?.version ?? '')
            : undefined
        }}
      >
        {text.leaveWarning}
      </LeaveGuard>
      <ConfirmPublish
        asked={asked}
        expected={expected}
        isNewApp={draft.newApp !== undefined}
        isProposal={isProposal}
        comment={comment}
        onComment={setComment}
        warnings={warnings}
        verdict={verdict}
        change={duplicate === undefined ? submission : { ...submission, error: null }}
        proving={submission.proving}
        preflight={submission.preflight}
        mayProve={hasHosts}
        onConfirm={(body, prove) => submission.send(body, comment, prove)}
        onClose={() => setAsked(undefined)}
      />
    </>
  )
}

const NO_ISSUES: ReadonlyMap<string, ArtifactIssues> = new Map()
