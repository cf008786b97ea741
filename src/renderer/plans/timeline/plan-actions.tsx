import { Button } from '@mantine/core'
import { IconPlayerPause, IconPlayerPlay, IconRoute } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import type { PlanDetail } from '../../../shared/console/plans.ts'
import { SmallButton } from '../../components/small-button.tsx'
import type { ReleaseDetail } from '../../releases/detail.ts'
import { PlanDialog } from './plan-dialog.tsx'
import { type PlanQuestion, PlanQuestionDialog } from './plan-question.tsx'
import { text } from './strings.ts'

interface Props {
  readonly detail: ReleaseDetail
  readonly known: PlanDetail
}

/** The buttons that set, suspend, resume and remove the plan of a release. */
export function PlanActions({ detail, known }: Props) {
  const { release, awaitsProof } = detail
  const { plan: state } = known
  const [question, setQuestion] = useState<PlanQuestion>()
  const [editing, setEditing] = useState<PlanDetail>()
  const rounds = useRef(0)
  const edit = () => {
    rounds.current += 1
    setEditing(known)
  }
  const ask = (kind: PlanQuestion['kind']) => setQuestion({ kind, seenChange: known.lastChange })
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
        <Button
          size="xs"
          disabled={isPaused}
          title={isPaused ? text.resumeReleaseFirst : undefined}
          leftSection={<IconPlayerPlay size={14} aria-hidden="true" />}
          onClick={() => ask('resume')}
        >
          {text.resume}
        </Button>
      )}
      {canSet && (
        <Button
          variant={state === null ? 'filled' : 'default'}
          size="xs"
          leftSection={<IconRoute size={14} aria-hidden="true" />}
          onClick={edit}
        >
          {isOpen || isStopped ? text.edit : text.set}
        </Button>
      )}
      {state !== null && <SmallButton onClick={() => ask('remove')}>{text.remove}</SmallButton>}
      <PlanQuestionDialog
        release={release}
        question={question}
        onClose={() => setQuestion(undefined)}
      />
      <PlanDialog
        key={rounds.current}
        detail={detail}
        seen={editing}
        onClose={() => setEditing(undefined)}
      />
    </>
  )
}
