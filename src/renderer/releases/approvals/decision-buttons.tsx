import { Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { MAX_COMMENT } from '../../../shared/releases/change-request.ts'
import { serverClient } from '../../bridge/clients.ts'
import { PlainButton } from '../../components/blocks.tsx'
import { ChangeDialog } from '../../components/dialog/dialog-form.tsx'
import { ProseField } from '../../components/text-fields.tsx'
import { DangerNotice, useDanger } from '../health/danger-notice.tsx'
import type { Consequence } from '../health/strings.ts'
import type { PreviewState } from '../serving/use-preview.ts'
import type { ApprovalDetail } from './impact-panel.tsx'
import { changeInWords, text } from './strings.ts'

interface Props {
  readonly request: ApprovalDetail
  /** What the change would do now: it is applied by those only who saw that. */
  readonly state: PreviewState
}

/** The buttons of those who may decide on a change request, or withdraw it. */
export function DecisionButtons({ request, state }: Props) {
  if (request.mayDecide) return <Decide request={request} state={state} />
  return request.mayWithdraw ? <Withdraw request={request} /> : null
}

function Decide({ request, state }: Props) {
  const { id, version, current } = request
  const [question, setQuestion] = useState<'apply' | 'decline'>()
  const [seenChange, setSeenChange] = useState<number>()
  const [comment, setComment] = useState('')
  const close = () => setQuestion(undefined)
  const { danger } = useDanger(request)
  const decision = { id, comment: comment.trim() }
  const ask = (next: 'apply' | 'decline') => {
    setSeenChange(current?.lastChange)
    setComment('')
    setQuestion(next)
  }
  const field = (
    <Stack gap="sm">
      <Text size="sm">{`${changeInWords(request)}.`}</Text>
      <CommentField value={comment} onChange={setComment} />
    </Stack>
  )
  return (
    <>
      <PlainButton onClick={() => ask('decline')}>{text.decline}</PlainButton>
      <Button disabled={state.state !== 'ready'} onClick={() => ask('apply')}>
        {text.apply}
      </Button>
      <ChangeDialog
        opened={question === 'apply'}
        destructive={danger !== undefined}
        title={text.applyTitle}
        action={text.apply}
        send={() => serverClient.changeRequests.applyChange.mutate({ ...decision, seenChange })}
        done={text.applied(version)}
        failed={text.notApplied(version)}
        onClose={close}
      >
        <Stack gap="sm">
          <DangerNotice version={version} danger={danger} then={consequenceOf(request)} />
          {field}
        </Stack>
      </ChangeDialog>
      <ChangeDialog
        opened={question === 'decline'}
        title={text.declineTitle}
        action={text.declineAction}
        send={() => serverClient.changeRequests.decline.mutate(decision)}
        done={text.declined(version)}
        failed={text.notDeclined(version)}
        onClose={close}
      >
        {field}
      </ChangeDialog>
    </>
  )
}

function consequenceOf({ change }: ApprovalDetail): Consequence {
  if (change.kind === 'plan') return 'set_plan'
  return change.kind === 'serving' && change.status === 'published' ? 'resume' : 'broaden'
}

function Withdraw({ request: { id, version } }: Pick<Props, 'request'>) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <PlainButton onClick={() => setOpen(true)}>{text.withdraw}</PlainButton>
      <ChangeDialog
        opened={isOpen}
        destructive={false}
        title={text.withdrawTitle}
        action={text.withdrawAction}
        send={() => serverClient.changeRequests.withdraw.mutate({ id })}
        done={text.withdrawn(version)}
        failed={text.notWithdrawn(version)}
        onClose={() => setOpen(false)}
      >
        {text.withdrawHint}
      </ChangeDialog>
    </>
  )
}

interface CommentFieldProps {
  readonly value: string
  readonly onChange: (comment: string) => void
  /** True where a change is about to be requested: says why. */
  readonly isNeeded?: boolean
}

/** The comment on a change request. */
export function CommentField({ value, onChange, isNeeded = false }: CommentFieldProps) {
  return (
    <Stack gap="xs">
      {isNeeded && <Text size="sm">{text.needsApproval}</Text>}
      <ProseField
        label={text.comment}
        description={text.commentHint}
        maxLength={MAX_COMMENT}
        value={value}
        onChange={onChange}
      />
    </Stack>
  )
}
