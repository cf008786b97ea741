import { useState } from 'react'
import { serverClient } from '../bridge/clients.ts'
import { useChange } from '../components/change/use-change.ts'
import { ConfirmForm } from '../components/dialog/confirm-dialog.tsx'
import { Dialog } from '../components/dialog/dialog.tsx'
import { StayGuard } from '../components/dialog/leave-guard.tsx'
import { ShownSecret } from '../components/dialog/shown-secret.tsx'
import { text } from './strings.ts'

interface Props {
  readonly opened: boolean
  readonly id: string
  readonly name: string
  readonly revision: number
  readonly onClose: () => void
}

/** Draws a new secret and shows it once. */
export function RotateDialog({ opened, id, name, revision, onClose }: Props) {
  const [secret, setSecret] = useState<string>()
  const rotate = useChange(serverClient.webhooks.rotateSecret.mutate, {
    done: () => undefined,
    failed: () => text.rotate.failed(name),
    onAnswer: (answer) => setSecret(answer.secret),
  })
  const close = () => {
    onClose()
    setSecret(undefined)
    rotate.reset()
  }
  return (
    <Dialog
      opened={opened}
      onClose={close}
      title={secret === undefined ? text.rotate.title(name) : text.secret.title}
      closable={secret === undefined}
    >
      {secret === undefined ? (
        <ConfirmForm
          action={text.rotate.confirm}
          destructive={false}
          change={rotate}
          onConfirm={() => rotate.send({ id, seen: revision })}
        >
          {text.rotate.effect}
        </ConfirmForm>
      ) : (
        <>
          <StayGuard refusal={text.secret.stay} />
          <ShownSecret secret={secret} words={text.secret} onClose={close} />
        </>
      )}
    </Dialog>
  )
}
