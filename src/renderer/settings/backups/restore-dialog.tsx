import { Button, Group, Loader, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import type {
  DataCounts,
  Inspection,
  RestoreOutcome,
  RestoreProblem,
} from '../../../shared/console/backups.ts'
import { formatCounted } from '../../../shared/wording/format.ts'
import { shell, shellClient } from '../../bridge/clients.ts'
import { ConsoleError } from '../../bridge/error.ts'
import { ConfirmForm } from '../../components/confirm-dialog.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { useChange } from '../../components/use-change.ts'
import { useLast } from '../../components/use-last.ts'
import { When } from '../../components/when.tsx'
import classes from '../settings.module.css'
import { LostVersions } from './lost-versions.tsx'
import { restoreProblemInWords } from './strings.ts'

/** A completed restore. */
export type Restoration = Extract<RestoreOutcome, { ok: true }>

interface Props {
  /** The backup in question; the dialog is closed without. */
  readonly file: string | undefined
  readonly onClose: () => void
  readonly onRestored: (outcome: Restoration) => void
}

/** Reads a backup through, says what restoring it does, and restores it when that is confirmed. */
export function RestoreDialog({ file, onClose, onRestored }: Props) {
  const shown = useLast(file)
  const inspect = useMutation(shell.shell.inspectBackup.mutationOptions())
  const restore = useChange(restoreBackup, {
    done: () => 'The backup was restored.',
    failed: () => 'The backup was not restored',
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
    <Dialog opened={file !== undefined} onClose={onClose} title="Restore a backup">
      {found?.ok && !inspect.isPending ? (
        <ConfirmForm
          action="Restore the backup"
          typed="restore"
          change={restore}
          onConfirm={() => restore.send({ file: shown })}
        >
          <Words inspection={found} />
        </ConfirmForm>
      ) : (
        <Stack>
          <Text size="sm" className={classes.file ?? ''}>
            {shown}
          </Text>
          {inspect.isPending ? (
            <Group gap="xs" role="status">
              <Loader size="xs" aria-hidden="true" />
              <Text size="sm">Checking the backup</Text>
            </Group>
          ) : (
            <ErrorNotice
              error={inspect.error ?? refusal(found)}
              title="This backup cannot be restored"
            />
          )}
          <Group justify="end">
            <Button variant="default" onClick={onClose}>
              {inspect.isPending ? 'Cancel' : 'Close'}
            </Button>
          </Group>
        </Stack>
      )}
    </Dialog>
  )
}

function Words({ inspection }: { readonly inspection: Extract<Inspection, { ok: true }> }) {
  const { copy, present, lost } = inspection
  return (
    <Stack gap="xs">
      <span className={classes.file}>{copy.file}</span>
      <span>
        The backup was made <When at={copy.madeAt} /> and is whole. It holds {counted(copy.counts)}
        {present === null
          ? '. The present data cannot be read.'
          : `; the present data holds ${counted(present)}.`}
      </span>
      <span>
        {lost.count === 0
          ? 'Every present release is in it.'
          : `${formatCounted(lost.count, 'release')} ${lost.count === 1 ? 'is' : 'are'} not in it and will be gone.`}
      </span>
      <LostVersions lost={lost} />
      <span>
        Releases with artifacts will be marked as offered, so their rollout can only be raised.
        {present === null
          ? 'Everything changed since the backup is undone, including rollbacks, rollout changes and key revocations. Repeat them after the restore.'
          : 'Rollbacks, later rollouts, targets and pauses, and key revocations since the backup are kept. Every other change since then is undone, including new API keys and what devices reported.'}
      </span>
      <span>
        The server stops for it and starts again. The present database is kept beside the new one.
      </span>
    </Stack>
  )
}

function counted({ apps, releases, devices }: DataCounts): string {
  return `${formatCounted(apps, 'app')}, ${formatCounted(releases, 'release')} and ${formatCounted(devices, 'device')}`
}

/** Restores a backup; rejects with the reason where it cannot be. */
async function restoreBackup(input: { file: string }): Promise<Restoration> {
  const outcome = await shellClient.shell.restoreBackup.mutate(input)
  if (!outcome.ok) throw refusal(outcome)
  return outcome
}

function refusal(result: { ok: true } | { ok: false; problem: RestoreProblem } | undefined) {
  if (result === undefined || result.ok) return null
  return new ConsoleError('invariant', restoreProblemInWords(result.problem))
}
