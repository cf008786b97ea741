import { Divider, Stack, Text } from '@mantine/core'
import { IconPlayerPause, IconPlayerPlay, IconRoute } from '@tabler/icons-react'
import { useState } from 'react'
import type { PlanDetail } from '../../../../shared/console/releases/plans.ts'
import type { ChangeId } from '../../../../shared/events/audit.ts'
import type { Release } from '../../../../shared/releases/release.ts'
import { serverClient } from '../../../bridge/clients.ts'
import { SmallButton } from '../../../components/blocks.tsx'
import { useChange } from '../../../components/change/use-change.ts'
import { Dialog, type DialogProps, useAsked } from '../../../components/dialog/dialog.tsx'
import { ChangeDialog, DialogForm } from '../../../components/dialog/dialog-form.tsx'
import { Quiet } from '../../../components/text/words.tsx'
import { CommentField } from '../../approvals/decision-buttons.tsx'
import { text as approvalText } from '../../approvals/strings.ts'
import type { ReleaseDetail } from '../../detail.ts'
import { DangerNotice, useDanger } from '../../health/danger-notice.tsx'
import type { Consequence } from '../../health/strings.ts'
import { ModeChoice, PlanFields, useRecommended } from '../choice/rollout-choice.tsx'
import { newRollout, PLAN_MODES, type PlanMode, readPlanMode } from '../choice/rollout-draft.ts'
import { planInForm } from '../editor/draft.ts'
import { questionInWords, text } from './strings.ts'

interface Props {
  readonly detail: ReleaseDetail
  readonly known: PlanDetail
}

/** The buttons that set, suspend, resume and remove the plan of a release. */
export function PlanActions({ detail, known }: Props) {
  const { release, awaitsProof } = detail
  const { plan: state } = known
  const question = useAsked<PlanQuestion>()
  const editing = useAsked<PlanDetail>()
  const ask = (kind: PlanQuestion['kind']) => question.ask({ kind, seenChange: known.lastChange })
  const isPaused = release.status === 'paused' && !awaitsProof
  const isOpen = state?.status === 'running' || state?.status === 'suspended'
  const isStopped = state?.status === 'stopped' && state.reason === 'failures'
  const canSet = !isPaused && release.rolloutPct < 100
  return (
    <>
      {state?.status === 'running' && (
        <SmallButton icon={IconPlayerPause} onClick={() => ask('suspend')}>
          {text.suspend}
        </SmallButton>
      )}
      {(state?.status === 'suspended' || isStopped) && (
        <SmallButton
          variant="filled"
          disabled={isPaused}
          title={isPaused ? text.resumeReleaseFirst : undefined}
          icon={IconPlayerPlay}
          onClick={() => ask('resume')}
        >
          {text.resume}
        </SmallButton>
      )}
      {canSet && (
        <SmallButton
          variant={state === null ? 'filled' : 'default'}
          icon={IconRoute}
          onClick={() => editing.ask(known)}
        >
          {isOpen || isStopped ? text.edit : text.set}
        </SmallButton>
      )}
      {state !== null && <SmallButton onClick={() => ask('remove')}>{text.remove}</SmallButton>}
      {question.about && (
        <PlanQuestionDialog release={release} {...question.about} {...question.dialog} />
      )}
      {editing.about && (
        <Dialog
          {...editing.dialog}
          key={editing.round}
          title={(editing.about.plan === null ? text.setTitle : text.editTitle)(release.version)}
          size="lg"
        >
          <PlanForm detail={detail} seen={editing.about} onClose={editing.dialog.onClose} />
        </Dialog>
      )}
    </>
  )
}

/** What is asked about a plan, and the revision that it was asked on. */
interface PlanQuestion {
  readonly kind: 'suspend' | 'resume' | 'remove'
  readonly seenChange: ChangeId
}

const CONSEQUENCES: Readonly<Partial<Record<PlanQuestion['kind'], Consequence>>> = {
  resume: 'resume_plan',
  remove: 'remove_plan',
}

interface QuestionProps extends PlanQuestion, DialogProps {
  readonly release: Release
}

/** Asks once before a plan is suspended, resumed or removed. */
function PlanQuestionDialog({ release, kind, seenChange, ...dialog }: QuestionProps) {
  const { app, channel, version } = release
  const words = questionInWords(kind, version)
  const then = CONSEQUENCES[kind]
  const { danger } = useDanger(release)
  return (
    <ChangeDialog
      {...words}
      {...dialog}
      destructive={kind === 'remove' || (then !== undefined && danger !== undefined)}
      send={() => serverClient.plans[kind].mutate({ app, channel, version, seenChange })}
    >
      <Stack gap="sm">
        {then !== undefined && <DangerNotice version={version} danger={danger} then={then} />}
        <Text size="sm">{words.effect}</Text>
      </Stack>
    </ChangeDialog>
  )
}

interface PlanFormProps {
  readonly detail: ReleaseDetail
  /** The plan as it was when the dialog opened. */
  readonly seen: PlanDetail
  readonly onClose: () => void
}

/** Sets or edits the plan of a release; asks for approval where the channel requires it. */
function PlanForm({ detail, seen, onClose }: PlanFormProps) {
  const { app, channel, version } = detail.release
  const place = { app, channel, version }
  const recommended = useRecommended(app, channel)
  const [chosen, setChosen] = useState<PlanMode>()
  const mode = chosen ?? (seen.plan === null ? recommended : 'custom')
  const [custom, setCustom] = useState(() =>
    seen.plan === null ? newRollout().custom : planInForm(seen.plan.plan),
  )
  const [comment, setComment] = useState('')
  const read = readPlanMode(mode, custom)
  const set = useChange(serverClient.plans.set.mutate, {
    done: text.setDone(version),
    failed: text.notSet(version),
    onDone: onClose,
  })
  const propose = useChange(serverClient.changeRequests.propose.mutate, {
    done: approvalText.requested(version),
    failed: approvalText.notRequested(version),
    onDone: onClose,
  })
  const { danger, isKnown } = useDanger(detail.release)
  const isProposal = detail.requiresApproval
  const change = isProposal ? propose : set
  const send = () => {
    if (!read.ok) return
    const { plan } = read
    if (isProposal) {
      propose.send({ ...place, comment: comment.trim(), change: { kind: 'plan', plan } })
    } else set.send({ ...place, plan, seenChange: seen.lastChange })
  }
  return (
    <DialogForm
      action={isProposal ? approvalText.request : text.set}
      change={change}
      valid={read.ok}
      destructive={danger !== undefined}
      disabled={!isKnown}
      onSubmit={send}
    >
      {(tried) => (
        <Stack gap="md">
          <DangerNotice version={version} danger={danger} then="set_plan" />
          <ModeChoice
            modes={PLAN_MODES}
            value={mode}
            recommended={recommended}
            onChange={setChosen}
          />
          <Divider />
          <PlanFields
            mode={mode}
            custom={custom}
            showIssues={tried}
            at={place}
            onChange={(next, draft) => {
              setChosen(next)
              setCustom(draft)
            }}
          />
          {detail.release.rolloutPct > 0 && <Quiet>{text.editHint}</Quiet>}
          {isProposal && <CommentField value={comment} onChange={setComment} isNeeded />}
        </Stack>
      )}
    </DialogForm>
  )
}
