import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ProposalInput } from '../../../shared/console/releases/approvals.ts'
import type { Release } from '../../../shared/releases/release.ts'
import { server, serverClient } from '../../bridge/clients.ts'
import { consoleErrorOf } from '../../bridge/error.ts'
import { type Change, useChange } from '../../components/change/use-change.ts'
import { Dialog, type DialogProps } from '../../components/dialog/dialog.tsx'
import { DialogForm } from '../../components/dialog/dialog-form.tsx'
import { CommentField } from '../approvals/decision-buttons.tsx'
import { text as approvalText } from '../approvals/strings.ts'
import type { HistoryEntry, ReleaseDetail } from '../detail.ts'
import { DangerNotice, useDanger } from '../health/danger-notice.tsx'
import type { Consequence } from '../health/strings.ts'
import { ChangedNotice, refusalInWords } from './changed-notice.tsx'
import { PreviewPanel } from './preview-panel.tsx'
import { obstacleTo, type ServingStep, type Standstill, stepInput } from './step.ts'
import { stepInWords } from './step-strings.ts'
import { OBSTACLES, text } from './strings.ts'
import { announceUndo, undoOf, undoStep } from './undo-toast.tsx'
import { type PreviewState, usePreview } from './use-preview.ts'

interface Props extends DialogProps {
  readonly detail: ReleaseDetail
  readonly standstill: Standstill | undefined
  readonly step: ServingStep
  readonly onDone: (step: ServingStep) => void
}

/**
 * Asks once before a serving change, with what it will do in numbers. What is confirmed is what is shown. Once somebody else
 * changes the release, the button asks for a review, and the step is counted and worded anew before it can be confirmed.
 */
export function StepDialog({ detail, standstill, opened, step, onClose, onDone }: Props) {
  const [isAnswered, setAnswered] = useState(false)
  const state = useSeenState(detail, step.seenChange, isAnswered)
  const words = stepInWords(state.seen.release, step)
  const apply = useChange(serverClient.releases.changeServing.mutate, {
    done: () => {
      const undo = undoOf(state.seen.release, step)
      // What is immediate may have to be requested the other way.
      if (undo === undefined || state.seen.requiresApproval) return words.done
      announceUndo(words.done, () => undoStep(state.seen.release, step, undo))
      return undefined
    },
    failed: words.failed,
    onAnswer: () => setAnswered(true),
    onDone: () => onDone(step),
  })
  const propose = useChange(serverClient.changeRequests.propose.mutate, {
    done: approvalText.requested(state.seen.release.version),
    failed: approvalText.notRequested(state.seen.release.version),
    onDone: () => onDone(step),
  })
  return (
    <Dialog opened={opened} onClose={onClose} title={words.title} size="lg">
      <StepForm
        step={step}
        state={state}
        obstacle={isAnswered ? undefined : obstacleTo(detail.release, standstill, step)}
        apply={apply}
        propose={propose}
      />
    </Dialog>
  )
}

interface FormProps {
  readonly step: ServingStep
  readonly state: SeenState
  readonly obstacle: ReturnType<typeof obstacleTo>
  readonly apply: Change<ReturnType<typeof stepInput>>
  readonly propose: Change<ProposalInput>
}

function StepForm({ step, state, obstacle, apply, propose }: FormProps) {
  const { seen, isOutdated, changes } = state
  const { release, devices } = seen
  const words = stepInWords(release, step)
  const isAsked = obstacle === undefined && !isOutdated
  const input = stepInput(release, { ...step, seenChange: seen.lastChange })
  const { seenChange: _, ...change } = input
  const preview = usePreview(isAsked ? change : undefined, `${seen.channelRevision}`)
  const needed = useQuery(
    server.changeRequests.needed.queryOptions(change, { enabled: isAsked, retry: false }),
  )
  const isProposal = isAsked && needed.data === true
  const known = useDanger(release)
  const then = consequenceOf(release, step)
  const danger = then === undefined ? undefined : known.danger
  const [comment, setComment] = useState('')
  const { app, channel, version, ...parts } = change
  const proposal = {
    ...{ app, channel, version, comment: comment.trim() },
    change: { kind: 'serving', ...parts },
  } as const
  const { isPending, error } = isProposal ? propose : apply
  const review = () => {
    apply.reset()
    propose.reset()
    state.review()
  }
  return (
    <DialogForm
      action={
        isProposal
          ? approvalText.request
          : isAsked || obstacle !== undefined
            ? words.action
            : text.review
      }
      destructive={(words.destructive || danger !== undefined) && isAsked}
      change={{ isPending, error: isOutdated ? null : refusalInWords(error) }}
      disabled={
        obstacle !== undefined ||
        (isAsked && (needed.isLoading || !known.isKnown || !canConfirm(preview.state)))
      }
      onSubmit={
        isProposal ? () => propose.send(proposal) : isAsked ? () => apply.send(input) : review
      }
    >
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {words.meaning}
      </Text>
      {isAsked && then !== undefined && (
        <DangerNotice version={release.version} danger={danger} then={then} />
      )}
      {isOutdated && (
        <ChangedNotice version={release.version} changes={changes}>
          {obstacle === undefined ? text.changedDialog : OBSTACLES[obstacle]}
        </ChangedNotice>
      )}
      {!isOutdated && obstacle !== undefined && (
        <Text size="sm" role="alert" c="var(--mantine-color-error)">
          {OBSTACLES[obstacle]}
        </Text>
      )}
      {isProposal && <CommentField value={comment} onChange={setComment} isNeeded />}
      {isAsked && (
        <PreviewPanel
          state={preview.state}
          app={release.app}
          version={release.version}
          running={devices}
          onCancel={preview.cancel}
          onAgain={preview.again}
        />
      )}
    </DialogForm>
  )
}

/** What a step means for a release that fails; undefined for one that reaches no more devices. */
function consequenceOf({ rolloutPct }: Release, step: ServingStep): Consequence | undefined {
  if (step.part === 'targets') return 'broaden'
  if (step.part === 'status') return step.status === 'published' ? 'resume' : undefined
  return step.rolloutPct > rolloutPct ? 'broaden' : undefined
}

/** Returns whether a step can be confirmed: not before it is counted, nor if it would be refused. */
function canConfirm(preview: PreviewState): boolean {
  if (preview.state === 'running') return false
  return preview.state !== 'failed' || consoleErrorOf(preview.error).refusal === undefined
}

/** The state of a release that a question is about, while the release itself may change. */
interface SeenState {
  /** As it was when the question was asked, or reviewed last. */
  readonly seen: ReleaseDetail
  /** True once somebody changed the release since: the question must be asked again. */
  readonly isOutdated: boolean
  /** What changed since, newest first. */
  readonly changes: readonly HistoryEntry[]
  /** Accepts the state as it is now as the one that the question is about. */
  readonly review: () => void
}

/**
 * Holds on to the state that a question is about. `seenChange` is the revision that the person decided on, which
 * can be older than what is shown when the question opens. While `isAnswered`, a change is taken for its own.
 */
function useSeenState(detail: ReleaseDetail, seenChange: number, isAnswered: boolean): SeenState {
  const [state, setState] = useState({ seen: detail, change: seenChange })
  const isOutdated = !isAnswered && detail.lastChange !== state.change
  return {
    // An offer is no change of the release, but changes what is possible.
    seen: detail.lastChange === state.change ? detail : state.seen,
    isOutdated,
    changes: detail.history.filter(({ id }) => id > state.change),
    review: () => setState({ seen: detail, change: detail.lastChange }),
  }
}
