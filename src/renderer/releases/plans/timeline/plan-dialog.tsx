import { Divider, Stack } from '@mantine/core'
import { useState } from 'react'
import type { PlanDetail } from '../../../../shared/console/releases/plans.ts'
import { serverClient } from '../../../bridge/clients.ts'
import { useChange } from '../../../components/change/use-change.ts'
import { Dialog, type DialogProps } from '../../../components/dialog/dialog.tsx'
import { DialogForm } from '../../../components/dialog/dialog-form.tsx'
import { Quiet } from '../../../components/text/quiet.tsx'
import { CommentField } from '../../approvals/comment-field.tsx'
import { text as approvalText } from '../../approvals/strings.ts'
import type { ReleaseDetail } from '../../detail.ts'
import { DangerNotice, useDanger } from '../../health/danger-notice.tsx'
import { ModeChoice, PlanFields } from '../choice/rollout-choice.tsx'
import { newRollout, PLAN_MODES, type PlanMode, readPlanMode } from '../choice/rollout-draft.ts'
import { planInForm } from '../editor/draft.ts'
import { text } from './strings.ts'

interface Props extends DialogProps {
  readonly detail: ReleaseDetail
  /** The plan as it was when the dialog opened. */
  readonly seen: PlanDetail
}

/** Sets or edits the plan of a release; asks for approval where the channel requires it. */
export function PlanDialog({ opened, ...form }: Props) {
  const { version } = form.detail.release
  return (
    <Dialog
      opened={opened}
      onClose={form.onClose}
      title={form.seen.plan === null ? text.setTitle(version) : text.editTitle(version)}
      size="lg"
    >
      <PlanForm {...form} />
    </Dialog>
  )
}

function PlanForm({ detail, seen, onClose }: Omit<Props, 'opened'>) {
  const { app, channel, version } = detail.release
  const place = { app, channel, version }
  const [mode, setMode] = useState<PlanMode>(seen.plan === null ? 'one-day' : 'custom')
  const [custom, setCustom] = useState(() =>
    seen.plan === null ? newRollout().custom : planInForm(seen.plan.plan),
  )
  const [comment, setComment] = useState('')
  const read = readPlanMode(mode, custom)
  const set = useChange(serverClient.plans.set.mutate, {
    done: () => text.setDone(version),
    failed: () => text.notSet(version),
    onDone: onClose,
  })
  const propose = useChange(serverClient.changeRequests.propose.mutate, {
    done: () => approvalText.requested(version),
    failed: () => approvalText.notRequested(version),
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
          <ModeChoice modes={PLAN_MODES} value={mode} recommended="one-day" onChange={setMode} />
          <Divider />
          <PlanFields
            mode={mode}
            custom={custom}
            showIssues={tried}
            at={place}
            onChange={(chosen, draft) => {
              setMode(chosen)
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
