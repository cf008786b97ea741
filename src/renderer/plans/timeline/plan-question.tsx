import type { ChangeId } from '../../../shared/history.ts'
import type { Release } from '../../../shared/release.ts'
import { serverClient } from '../../bridge/clients.ts'
import { useChange } from '../../components/change/use-change.ts'
import { ConfirmDialog } from '../../components/dialog/confirm-dialog.tsx'
import { useLast } from '../../components/dialog/dialog.tsx'
import { text } from './strings.ts'

/** What is asked about a plan, and the revision that it was asked on. */
export interface PlanQuestion {
  readonly kind: 'suspend' | 'resume' | 'remove'
  readonly seenChange: ChangeId
}

interface Props {
  readonly release: Release
  /** Whether it was stopped by failures. */
  readonly isStopped: boolean
  /** The dialog is closed without one. */
  readonly question: PlanQuestion | undefined
  readonly onClose: () => void
}

/** Asks once before a plan is suspended, resumed or removed. */
export function PlanQuestionDialog({ release, isStopped, question, onClose }: Props) {
  const { app, channel, version } = release
  const shown = useLast(question)
  const kind = shown?.kind ?? 'suspend'
  const words = wordsOf(kind, version, isStopped)
  const change = useChange(serverClient.plans[kind].mutate, {
    done: () => words.done,
    failed: () => words.failed,
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      opened={question !== undefined}
      destructive={kind === 'remove'}
      title={words.title}
      action={words.action}
      change={change}
      onConfirm={() => change.send({ app, channel, version, seenChange: shown?.seenChange })}
      onClose={onClose}
    >
      {words.effect}
    </ConfirmDialog>
  )
}

interface Words {
  readonly title: string
  readonly action: string
  readonly effect: string
  readonly done: string
  readonly failed: string
}

function wordsOf(kind: PlanQuestion['kind'], version: string, isStopped: boolean): Words {
  switch (kind) {
    case 'suspend':
      return {
        title: text.suspendTitle(version),
        action: text.suspend,
        effect: text.suspendEffect(version),
        done: text.suspended(version),
        failed: text.notSuspended(version),
      }
    case 'resume':
      return {
        title: text.resumeTitle(version),
        action: text.resume,
        effect: isStopped ? `${text.resumeStopped} ${text.resumeEffect}` : text.resumeEffect,
        done: text.resumed(version),
        failed: text.notResumed(version),
      }
    case 'remove':
      return {
        title: text.removeTitle(version),
        action: text.remove,
        effect: text.removeEffect(version),
        done: text.removed(version),
        failed: text.notRemoved(version),
      }
  }
}
