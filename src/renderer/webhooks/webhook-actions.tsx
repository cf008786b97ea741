import { Button } from '@mantine/core'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { WebhookItem } from '../../shared/console/webhooks.ts'
import { serverClient } from '../bridge/clients.ts'
import { PlainButton } from '../components/blocks.tsx'
import { useChange } from '../components/change/use-change.ts'
import { Dialog } from '../components/dialog/dialog.tsx'
import { ChangeDialog, ConfirmForm } from '../components/dialog/dialog-form.tsx'
import { SecretDialog } from '../components/dialog/shown-once.tsx'
import { paths } from '../paths.ts'
import { text } from './strings.ts'
import { WebhookForm } from './webhook-form.tsx'

type Step = 'edit' | 'rotate' | 'disable' | 'remove'

/** What can be done with a webhook, and the dialogs that ask. */
export function WebhookActions({ webhook }: { readonly webhook: WebhookItem }) {
  const { id, name, disabled } = webhook
  const [step, setStep] = useState<Step>()
  const navigate = useNavigate()
  const close = () => setStep(undefined)
  const test = useChange(serverClient.webhooks.test.mutate, {
    done: text.tested,
    failed: text.testFailed,
    announcesFailure: true,
  })
  const enable = useChange(serverClient.webhooks.setDisabled.mutate, {
    done: text.enabled(name),
    failed: text.enableFailed(name),
    announcesFailure: true,
  })
  const save = useChange(serverClient.webhooks.change.mutate, {
    done: (saved) => text.form.saved(saved.name),
    failed: text.form.saveFailed(name),
    onDone: close,
  })
  return (
    <>
      {disabled === null ? (
        <Button onClick={() => test.send({ id })} loading={test.isPending}>
          {text.test}
        </Button>
      ) : (
        <Button onClick={() => enable.send({ id, disabled: false })} loading={enable.isPending}>
          {text.enable}
        </Button>
      )}
      <PlainButton onClick={() => setStep('edit')}>{text.edit}</PlainButton>
      <PlainButton onClick={() => setStep('rotate')}>{text.rotate.action}</PlainButton>
      {disabled === null && (
        <PlainButton onClick={() => setStep('disable')}>{text.disable.action}</PlainButton>
      )}
      <PlainButton onClick={() => setStep('remove')}>{text.remove.action}</PlainButton>
      <Dialog
        opened={step === 'edit'}
        onClose={close}
        title={text.form.changeTitle(name)}
        size="lg"
      >
        <EditForm
          webhook={webhook}
          change={save}
          onSubmit={(input, seen) => save.send({ ...input, id, seen })}
        />
      </Dialog>
      <SecretDialog
        opened={step === 'rotate'}
        onClose={close}
        title={text.rotate.title(name)}
        words={text.secret}
        size="md"
        form={(onMade) => <RotateForm webhook={webhook} onRotated={onMade} />}
      />
      <ChangeDialog
        opened={step === 'disable'}
        onClose={close}
        title={text.disable.title(name)}
        action={text.disable.confirm}
        send={() => serverClient.webhooks.setDisabled.mutate({ id, disabled: true })}
        done={text.disable.done(name)}
        failed={text.disable.failed(name)}
      >
        {text.disable.effect}
      </ChangeDialog>
      <ChangeDialog
        opened={step === 'remove'}
        onClose={close}
        title={text.remove.title(name)}
        action={text.remove.confirm}
        send={() => serverClient.webhooks.remove.mutate({ id })}
        done={text.remove.done(name)}
        failed={text.remove.failed(name)}
        onAnswer={() => void navigate(paths.webhooks)}
      >
        {text.remove.effect}
      </ChangeDialog>
    </>
  )
}

interface RotateProps {
  readonly webhook: WebhookItem
  readonly onRotated: (secret: string) => void
}

/** Draws a new secret. */
function RotateForm({ webhook: { id, name, revision }, onRotated }: RotateProps) {
  const rotate = useChange(serverClient.webhooks.rotateSecret.mutate, {
    failed: text.rotate.failed(name),
    onAnswer: ({ secret }) => onRotated(secret),
  })
  return (
    <ConfirmForm
      action={text.rotate.confirm}
      destructive={false}
      change={rotate}
      onConfirm={() => rotate.send({ id, seen: revision })}
    >
      {text.rotate.effect}
    </ConfirmForm>
  )
}

type FormProps = Parameters<typeof WebhookForm>[0]
type Input = Parameters<FormProps['onSubmit']>[0]

/** Keeps the state that the form was filled in with: what changes meanwhile must not be overwritten unseen. */
function EditForm({
  webhook,
  change,
  onSubmit,
}: Pick<FormProps, 'change'> & {
  readonly webhook: WebhookItem
  readonly onSubmit: (input: Input, seen: number) => void
}) {
  const [{ name, url, format, events, app, revision }] = useState(webhook)
  return (
    <WebhookForm
      initial={{ name, url, format, events, app }}
      action={text.form.save}
      change={change}
      onSubmit={(input) => onSubmit(input, revision)}
    />
  )
}
