import { Button, Group, Loader, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { RestoreOutcome, RestoreProblem } from '../../../shared/console/backups.ts'
import { shell, shellClient } from '../../bridge/clients.ts'
import { ConsoleError } from '../../bridge/error.ts'
import { ErrorNotice } from '../../components/change/error-notice.tsx'
import { useChange } from '../../components/change/use-change.ts'
import { ConfirmForm } from '../../components/dialog/confirm-dialog.tsx'
import { Dialog } from '../../components/dialog/dialog.tsx'
import { useLast } from '../../components/dialog/use-last.ts'
import classes from '../settings.module.css'
import { RestorePreview } from './restore-preview.tsx'
import { restoreProblemText, text } from './strings.ts'

/** A completed restore. */
export type Restoration = Extract<RestoreOutcome, { ok: true }>

interface Props {
  /** The backup in question; the dialog is closed without. */
  readonly file: string | undefined
  readonly onClose: () => void
  readonly onRestored: (outcome: Restoration) => void
}

/** Verifies a backup, shows what restoring it does, and restores it when that is confirmed. */
export function RestoreDialog({ file, onClose, onRestored }: Props) {
  const shown = useLast(file)
  const inspect = useMutation(shell.shell.inspectBackup.mutationOptions())
  const restore = useChange(restoreBackup, {
    done: () => text.restored,
    failed: () => text.notRestored,
    onDone: (outcome) => {
      onRestored(outcome)
      onClose()
    },
  })
  const { mutate: look } = inspect
  const { reset } = restore
  useEffect(() => {
    if (file === undefined) return
    reset()
    look({ file })
  }, [file, look, reset])
  if (shown === undefined) return null
  const found = inspect.data
  return (
    <Dialog opened={file !== undefined} onClose={onClose} title={text.restoreTitle} size="lg">
      {found?.ok && !inspect.isPending ? (
        <ConfirmForm
          action={text.restoreAction}
          typed={text.typed}
          change={restore}
          onConfirm={() => restore.send({ file: shown })}
        >
          <RestorePreview inspection={found} />
        </ConfirmForm>
      ) : (
        <Stack>
          <Text size="sm" className={classes.file ?? ''}>
            {shown}
          </Text>
          {inspect.isPending ? (
            <Group gap="xs" role="status">
              <Loader size="xs" aria-hidden="true" />
              <Text size="sm">{text.reading}</Text>
            </Group>
          ) : (
            <ErrorNotice error={inspect.error ?? refusal(found)} title={text.cannotRestore} />
          )}
          <Group justify="end">
            <Button variant="default" onClick={onClose}>
              {inspect.isPending ? text.cancel : text.close}
            </Button>
          </Group>
        </Stack>
      )}
    </Dialog>
  )
}

/** Restores a backup; rejects with the reason where it cannot be. */
async function restoreBackup(input: { file: string }): Promise<Restoration> {
  const outcome = await shellClient.shell.restoreBackup.mutate(input)
  if (!outcome.ok) throw refusal(outcome)
  return outcome
}

function refusal(result: { ok: true } | { ok: false; problem: RestoreProblem } | undefined) {
  if (result === undefined || result.ok) return null
  return new ConsoleError('invariant', restoreProblemText(result.problem))
}
