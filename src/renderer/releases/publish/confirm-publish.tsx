import { Alert, Button, Checkbox, Group, Stack } from '@mantine/core'
import { useState } from 'react'
import type { ArtifactWarning } from '../../../shared/artifacts/warnings.ts'
import type { ProvingPolicy } from '../../../shared/files/proof.ts'
import type { PreflightPolicy } from '../../../shared/releases/preflight-policy.ts'
import type { PublishBody } from '../../../shared/releases/release.ts'
import { isOdd, type VersionVerdict } from '../../../shared/releases/version-verdict.ts'
import { oddVersionSentence } from '../../../shared/wording/version-verdict.ts'
import { serverClient } from '../../bridge/clients.ts'
import { PlainButton } from '../../components/blocks.tsx'
import { ConfirmDialog } from '../../components/dialog/dialog-form.tsx'
import { Quiet } from '../../components/text/words.tsx'
import { CommentField } from '../approvals/decision-buttons.tsx'
import { text as approvalText } from '../approvals/strings.ts'
import { WarningsAlert } from '../artifacts/artifacts-editor.tsx'
import { FilesTable } from '../artifacts/files-table.tsx'
import { type ExpectedDevices, PlanSchedule } from '../plans/schedule/plan-schedule.tsx'
import { PreflightPart } from '../preflight/preflight-part.tsx'
import { PreviewPanel } from '../serving/preview-panel.tsx'
import { type Begin, useCounting } from '../serving/use-preview.ts'
import classes from './publish.module.css'
import { publishInWords, text } from './strings.ts'

interface Props {
  /** What would be published; undefined while nobody is asked. */
  readonly asked: PublishBody | undefined
  /** Devices that the steps of its plan reach. */
  readonly expected: ExpectedDevices | undefined
  /** True where the app is created with the release: the server knows nothing about it yet. */
  readonly isNewApp: boolean
  /** True on a channel that requires approval. */
  readonly isProposal: boolean
  readonly comment: string
  readonly onComment: (comment: string) => void
  readonly warnings: readonly ArtifactWarning[]
  readonly verdict: VersionVerdict | undefined
  readonly change: Parameters<typeof ConfirmDialog>[0]['change'] & object
  /** Of the channel. */
  readonly proving: ProvingPolicy
  readonly preflight: PreflightPolicy
  /** Whether the app has hosts from which the server may download. */
  readonly mayProve: boolean
  /** `prove`: whether the artifacts are to be proven right after publishing. */
  readonly onConfirm: (body: PublishBody, prove: boolean) => void
  readonly onClose: () => void
}

/** Asks once before a release is published or proposed, with what it will do and its files. */
export function ConfirmPublish({
  asked,
  isNewApp,
  isProposal,
  verdict,
  warnings,
  proving,
  ...props
}: Props) {
  const [prove, setProve] = useState(false)
  const known = isNewApp ? undefined : asked
  return (
    <ConfirmDialog
      opened={asked !== undefined}
      destructive={false}
      title={text.publishVersion(asked?.version ?? '')}
      action={isProposal ? approvalText.request : text.publishVersion(asked?.version ?? '')}
      change={props.change}
      {...(isProposal ? {} : { checking: text.checking })}
      onConfirm={() => asked && props.onConfirm(asked, prove)}
      onClose={props.onClose}
    >
      <Stack gap="xs">
        {asked && publishInWords(asked, proving).map((line) => <span key={line}>{line}</span>)}
        {known && <PublishImpact body={known} />}
        {known?.plan && <PlanSchedule at={known} plan={known.plan} expected={props.expected} />}
        {isProposal && <CommentField value={props.comment} onChange={props.onComment} isNeeded />}
        {asked && <FilesTable artifacts={asked.artifacts} />}
        {props.mayProve && !isProposal && proving === 'off' && (
          <Checkbox
            label={text.prove}
            description={text.proveHint}
            checked={prove}
            onChange={(event) => setProve(event.currentTarget.checked)}
          />
        )}
        {known && <PreflightPart of={contentOf(known)} isWanted={props.preflight !== 'off'} />}
        <WarningsAlert warnings={warnings} version={asked?.version ?? ''} />
        {asked && verdict && isOdd(verdict) && (
          <Alert variant="light" color="yellow">
            {oddVersionSentence(verdict)}
          </Alert>
        )}
      </Stack>
    </ConfirmDialog>
  )
}

function contentOf({ app, channel, version, targets, artifacts, documents }: PublishBody) {
  return { app, channel, version, content: { targets, artifacts, documents } }
}

/** What publishing does to the known devices, and what they download; nothing for a release that is offered to none yet. */
function PublishImpact({ body }: { readonly body: PublishBody }) {
  const { notes: _, documents: __, ...release } = body
  const isOffered = release.rolloutPct > 0 || release.plan !== undefined
  const begin: Begin | undefined = isOffered
    ? (handlers) => serverClient.releases.previewPublish.subscribe(release, handlers)
    : undefined
  const { state, cancel, again } = useCounting(begin, JSON.stringify(release))
  if (!isOffered) return null
  const { app, version } = release
  return (
    <PreviewPanel
      {...{ state, app, version, isBrief: true, running: 0 }}
      onCancel={cancel}
      onAgain={again}
    />
  )
}

interface PublishFootProps {
  /** What publishing waits for. */
  readonly isHashing: boolean
  readonly isUploading: boolean
  /** Whether fields are highlighted. */
  readonly isInvalid: boolean
  /** What is wrong beside fields. */
  readonly issue: string | undefined
  readonly isProposal: boolean
  readonly isSaving: boolean
  readonly onSave: () => void
}

/** The end of the publish form: what is wrong or being waited for, and the buttons. */
export function PublishFoot({ isProposal, isSaving, onSave, ...state }: PublishFootProps) {
  return (
    <Group className={classes.foot} justify="space-between">
      <Quiet role="status">{footLine(state)}</Quiet>
      <Group gap="xs" ml="auto">
        <PlainButton loading={isSaving} onClick={onSave}>
          {text.saveDraft}
        </PlainButton>
        <Button type="submit">{isProposal ? approvalText.request : text.publish}</Button>
      </Group>
    </Group>
  )
}

type State = Pick<PublishFootProps, 'isHashing' | 'isUploading' | 'isInvalid' | 'issue'>

function footLine({ isHashing, isUploading, isInvalid, issue }: State): string {
  if (issue !== undefined) return issue
  if (isHashing) return text.hashing
  if (isUploading) return text.uploading
  return isInvalid ? text.faults : ''
}
