import { Button, Group, Loader, Stack, Text } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import type { ReleasePlace, StoppedRelease } from '../../../shared/console/releases/releases.ts'
import { MAX_COMMENT } from '../../../shared/releases/change-request.ts'
import { serverClient } from '../../bridge/clients.ts'
import { consoleErrorOf } from '../../bridge/error.ts'
import { useIsChecking } from '../../bridge/repeating-link.ts'
import { ErrorNotice, Notice, PlainButton } from '../../components/blocks.tsx'
import { useChange } from '../../components/change/use-change.ts'
import { Dialog, useLast } from '../../components/dialog/dialog.tsx'
import { DialogForm } from '../../components/dialog/dialog-form.tsx'
import { ProseField } from '../../components/text-fields.tsx'
import { closeStop, useStopQuestion, useUndoStop } from './stop-button.tsx'
import { text } from './strings.ts'

/** Stops what `stopRelease` names, says when every server has confirmed it, and asks for the reason then. */
export function StopDialog() {
  const question = useStopQuestion()
  const shown = useLast(question)
  if (shown === undefined) return null
  const { number, place } = shown
  return (
    <Dialog opened={question !== undefined} onClose={closeStop} title={text.title(place.version)}>
      <Stopping key={number} place={place} />
    </Dialog>
  )
}

function Stopping({ place }: { readonly place: ReleasePlace }) {
  const { version } = place
  const [stopped, setStopped] = useState<StoppedRelease>()
  const isClosed = useRef(false)
  const isChecking = useIsChecking()
  const stop = useChange(serverClient.releases.stop.mutate, {
    done: () => (isClosed.current ? text.stopped(version) : undefined),
    failed: text.failed(version),
    onAnswer: setStopped,
  })
  const { send } = stop
  // What is pressed is done: nothing is asked before.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each question
  useEffect(() => {
    isClosed.current = false
    send(place)
    return () => {
      isClosed.current = true
    }
  }, [])
  if (stopped !== undefined) return <Stopped place={place} stopped={stopped} />
  if (stop.error !== null) {
    return <NotStopped version={version} error={stop.error} onRetry={() => send(place)} />
  }
  return (
    <Group wrap="nowrap" role="status">
      <Loader size={18} aria-hidden="true" />
      <div>
        <Text fw={500}>{text.stopping(version)}</Text>
        <Text size="sm">{isChecking ? text.checking : text.stoppingHint}</Text>
      </div>
    </Group>
  )
}

interface NotStoppedProps {
  readonly version: string
  readonly error: unknown
  readonly onRetry: () => void
}

/** The release is not stopped, or not on every server. */
function NotStopped({ version, error, onRetry }: NotStoppedProps) {
  const isStored = consoleErrorOf(error).refusal?.code === 'not_confirmed'
  return (
    <Stack>
      {isStored ? (
        <Notice title={text.unconfirmed}>{text.unconfirmedHint}</Notice>
      ) : (
        <ErrorNotice error={error} title={text.failed(version)} />
      )}
      <Group justify="end" gap="xs">
        <PlainButton onClick={closeStop}>{text.close}</PlainButton>
        <Button data-autofocus color="red" onClick={onRetry}>
          {isStored ? text.checkAgain : text.retry}
        </Button>
      </Group>
    </Stack>
  )
}

interface StoppedProps {
  readonly place: ReleasePlace
  readonly stopped: StoppedRelease
}

function Stopped({ place, stopped: { stop } }: StoppedProps) {
  const { version } = place
  const [reason, setReason] = useState('')
  const explain = useChange(serverClient.releases.explainStop.mutate, {
    done: text.reasonSaved(version),
    failed: text.reasonFailed(version),
    onDone: closeStop,
  })
  const undo = useUndoStop(place, closeStop)
  return (
    <DialogForm
      action={text.saveReason}
      change={{
        isPending: explain.isPending || undo.isPending,
        error: explain.error ?? undo.error,
      }}
      disabled={reason.trim() === ''}
      wayOut={text.close}
      other={
        stop !== null && (
          <PlainButton loading={undo.isPending} onClick={() => undo.send({ ...place, stop })}>
            {text.undo}
          </PlainButton>
        )
      }
      onSubmit={() => explain.send({ ...place, reason: reason.trim() })}
    >
      <Notice icon={IconCircleCheck} color="tide" role="status" title={text.stopped(version)}>
        {text.stoppedHint}
      </Notice>
      <ProseField
        isFirst
        label={text.reason}
        description={text.reasonHint}
        maxLength={MAX_COMMENT}
        value={reason}
        onChange={setReason}
      />
    </DialogForm>
  )
}
