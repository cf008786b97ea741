import type { ChangeId } from '../../../shared/history.ts'
import type { Release } from '../../../shared/release.ts'
import { serverClient } from '../../bridge/clients.ts'
import { ChangeDialog } from '../../components/dialog/confirm-dialog.tsx'
import { useLast } from '../../components/dialog/dialog.tsx'
import { questionInWords } from './strings.ts'

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
  const { kind, seenChange } = shown ?? { kind: 'suspend', seenChange: undefined }
  const words = questionInWords(kind, version, isStopped)
  return (
    <ChangeDialog
      {...words}
      opened={question !== undefined}
      destructive={kind === 'remove'}
      send={() => serverClient.plans[kind].mutate({ app, channel, version, seenChange })}
      onClose={onClose}
    >
      {words.effect}
    </ChangeDialog>
  )
}
