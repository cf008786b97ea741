import { Button } from '@mantine/core'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { WebhookItem } from '../../shared/console/webhooks.ts'
import { serverClient } from '../bridge/clients.ts'
import { useChange } from '../components/change/use-change.ts'
import { ConfirmDialog } from '../components/dialog/confirm-dialog.tsx'
import { Dialog } from '../components/dialog/dialog.tsx'
import { paths } from '../paths.ts'
import { RotateDialog } from './rotate-dialog.tsx'
import { text } from './strings.ts'
import { WebhookForm } from './webhook-form.tsx'

type Step = 'edit' | 'rotate' | 'disable' | 'remove'

/** What can be done with a webhook, and the dialogs that ask. */
export function WebhookActions({ webhook }: { readonly webhook: WebhookItem }) {
  const { id, name, disabled, revision } = webhook
  const [step, setStep] = useState<Step>()
  const navigate = useNavigate()
  const close = () => setStep(undefined)
  const test = useChange(serverClient.webhooks.test.mutate, {
    done: () => text.tested,
    failed: () => text.testFailed,
  })
  const enable = useChange(serverClient.webhooks.setDisabled.mutate, {
    done: () => text.enabled(name),
    failed: () => text.enableFailed(name),
  })
  const disable = useChange(serverClient.webhooks.setDisabled.mutate, {
    done: () => text.disable.done(name),
    failed: () => text.disable.failed(name),
    onDone: close,
  })
  const save = useChange(serverClient.webhooks.change.mutate, {
    done: (saved) => text.form.saved(saved.name),
    failed: () => text.form.saveFailed(name),
    onDone: close,
  })
  const remove = useChange(serverClient.webhooks.remove.mutate, {
    done: () => text.remove.done(name),
    failed: () => text.remove.failed(name),
    onAnswer: () => void navigate(paths.webhooks),
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
      <Button variant="default" onClick={() => setStep('edit')}>
        {text.edit}
      </Button>
      <Button variant="default" onClick={() => setStep('rotate')}>
        {text.rotate.action}
      </Button>
      {disabled === null && (
        <Button variant="default" onClick={() => setStep('disable')}>
          {text.disable.action}
        </Button>
      )}
      <Button variant="default" onClick={() => setStep('remove')}>
        {text.remove.action}
      </Button>
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
      <RotateDialog
        opened={step === 'rotate'}
        id={id}
        name={name}
        revision={revision}
        onClose={close}
      />
      <ConfirmDialog
        opened={step === 'disable'}
        onClose={close}
        title={text.disable.title(name)}
        action={text.disable.confirm}
        change={disable}
        onConfirm={() => disable.send({ id, disabled: true })}
      >
        {text.disable.effect}
      </ConfirmDialog>
      <ConfirmDialog
        opened={step === 'remove'}
        onClose={close}
        title={text.remove.title(name)}
        action={text.remove.confirm}
        change={remove}
        onConfirm={() => remove.send({ id })}
      >
        {text.remove.effect}
      </ConfirmDialog>
    </>
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
