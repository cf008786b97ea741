import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { SmallButton } from '../../components/blocks.tsx'
import { LeaveGuard } from '../../components/dialog/leave-guard.tsx'
import type { ReleaseDetail } from '../detail.ts'
import { draftOf, isSameDraft, narrowingOf, readTargets } from '../targets/draft.ts'
import { inSentence, targetsInWords, text as targetsText } from '../targets/strings.ts'
import { TargetsEditor } from '../targets/targets-editor.tsx'
import { ChangedNotice } from './changed-notice.tsx'
import type { ServingStep } from './step.ts'
import { text } from './strings.ts'

interface Props {
  readonly detail: ReleaseDetail
  /** False where nothing about the release can change any more. */
  readonly isEditable: boolean
  readonly onStep: (step: ServingStep) => void
}

/** Which devices a release targets: the sentence, and the editor behind a button. */
export function TargetsPart({ detail, isEditable, onStep }: Props) {
  const { release } = detail
  const [isOpen, setOpen] = useState(false)
  const editing = isOpen && isEditable
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="8px 16px">
        <Text size="sm" flex="1 1 240px" miw={0} className="wraps">
          <Text span fw={600}>
            {editing ? text.editTargets : targetsText.targets}
          </Text>{' '}
          {!editing && inSentence(targetsInWords(release.targets))}
        </Text>
        {!editing && isEditable && (
          <SmallButton flex="none" onClick={() => setOpen(true)}>
            {text.editTargets}
          </SmallButton>
        )}
      </Group>
      {editing && <TargetsForm detail={detail} onStep={onStep} onClose={() => setOpen(false)} />}
    </Stack>
  )
}

type FormProps = Pick<Props, 'detail' | 'onStep'> & { readonly onClose: () => void }

function TargetsForm({ detail, onStep, onClose }: FormProps) {
  const { release, lastChange, history } = detail
  const [start, setStart] = useState({ seenChange: lastChange, draft: draftOf(release.targets) })
  const [draft, setDraft] = useState(start.draft)
  const [tried, setTried] = useState(false)
  const offered = release.offered ? release.targets : undefined
  const narrowing = offered === undefined ? undefined : narrowingOf(draft, offered)
  const isNarrower =
    narrowing !== undefined && (narrowing.isExpressionMissing || narrowing.issues.size > 0)
  const changes = history.filter(({ id, after }) => id > start.seenChange && concernsTargets(after))
  const useCurrent = () => {
    const current = draftOf(release.targets)
    setStart({ seenChange: lastChange, draft: current })
    setDraft(current)
  }
  const submit = () => {
    const read = readTargets(draft)
    setTried(true)
    if (!read.ok || isNarrower) return
    onStep({ part: 'targets', targets: read.targets, seenChange: start.seenChange })
  }
  return (
    <>
      {changes.length > 0 && (
        <ChangedNotice version={release.version} changes={changes}>
          {text.changedTargets}
          <SmallButton mt="xs" display="block" onClick={useCurrent}>
            {text.useCurrent}
          </SmallButton>
        </ChangedNotice>
      )}
      <TargetsEditor value={draft} showIssues={tried} offered={offered} onChange={setDraft} />
      <Group justify="end" gap="xs">
        <SmallButton onClick={onClose}>{text.cancel}</SmallButton>
        <Button size="xs" onClick={submit}>
          {text.saveTargets}
        </Button>
      </Group>
      <LeaveGuard
        wouldLose={() => !isSameDraft(draft, start.draft)}
        title={text.leaveTitle}
        action={text.leave}
      >
        {text.leaveWarning(release.version)}
      </LeaveGuard>
    </>
  )
}

/** Returns whether what a change left behind has targets among it. */
function concernsTargets(after: unknown): boolean {
  return typeof after === 'object' && after !== null && 'targets' in after
}
