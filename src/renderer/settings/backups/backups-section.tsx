import { Alert, Button, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { BackupStatus, CarriedOver } from '../../../shared/console/backups.ts'
import { formatCounted } from '../../../shared/wording/format.ts'
import { backupProblemSentence } from '../../../shared/wording/storage-problem.ts'
import { server, shellClient } from '../../bridge/clients.ts'
import { queryClient } from '../../bridge/query-client.ts'
import { useServerState } from '../../bridge/server-state.tsx'
import { announce } from '../../components/announce.ts'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { Panel } from '../../components/panel.tsx'
import { keptCounts } from '../../components/strings.ts'
import { When } from '../../components/when.tsx'
import { listed } from '../../releases/strings.ts'
import { CopiesTable } from './copies-table.tsx'
import { LostVersions } from './lost-versions.tsx'
import { type Restoration, RestoreDialog } from './restore-dialog.tsx'

/** Milliseconds: the server announces no change of its backups. */
const LOOK = 5_000

/** The copies that there are, making one, and going back to one. */
export function BackupsSection() {
  const running = useServerState().state === 'running'
  const options = server.backups.status.queryOptions(undefined, { refetchInterval: LOOK })
  const status = useQuery({ ...options, enabled: running })
  const [file, setFile] = useState<string>()
  const [restored, setRestored] = useState<Restoration>()
  const refresh = () => queryClient.invalidateQueries(server.backups.pathFilter())
  const backUp = useMutation(
    server.backups.now.mutationOptions({
      onSuccess: () => announce('The backup was made and checked.'),
      onSettled: refresh,
    }),
  )
  const choose = useMutation({
    mutationFn: () => shellClient.shell.chooseFile.mutate({ kind: 'backup' }),
    onSuccess: ({ path }) => path !== null && setFile(path),
  })
  return (
    <Panel
      title="Backups"
      actions={
        <>
          <Button variant="default" loading={choose.isPending} onClick={() => choose.mutate()}>
            Restore a file…
          </Button>
          <Button
            variant="default"
            disabled={!running}
            loading={backUp.isPending || status.data?.running === true}
            onClick={() => backUp.mutate()}
          >
            Back up now
          </Button>
        </>
      }
    >
      <Stack gap="md">
        {restored !== undefined && (
          <Restored outcome={restored} onClose={() => setRestored(undefined)} />
        )}
        <ErrorNotice error={backUp.error} title="No backup was made" />
        <ErrorNotice error={choose.error} title="The dialog could not be opened" />
        <ErrorNotice error={running ? status.error : null} />
        {!running && (
          <Text size="sm" c="dimmed">
            The server does not run, so its copies are not listed. A backup can be restored from its
            file all the same.
          </Text>
        )}
        {running && status.data !== undefined && (
          <>
            <Words status={status.data} />
            <CopiesTable status={status.data} onRestore={setFile} onChecked={refresh} />
          </>
        )}
      </Stack>
      <RestoreDialog file={file} onClose={() => setFile(undefined)} onRestored={setRestored} />
    </Panel>
  )
}

function Words({ status }: { readonly status: BackupStatus }) {
  const { lastSuccessAt, lastFailure, folderProblem, folder } = status
  const failing = lastFailure !== null && (lastSuccessAt === null || lastFailure.at > lastSuccessAt)
  return (
    <>
      {(failing || folderProblem !== null) && (
        <Alert
          color="red"
          role="alert"
          variant="light"
          icon={<IconAlertTriangle aria-hidden="true" />}
          title={failing ? 'The last backup failed' : 'The backups cannot be listed'}
        >
          {failing ? (
            <>
              <When at={lastFailure.at} />: {backupProblemSentence(lastFailure.problem)}
            </>
          ) : (
            folderProblem !== null && backupProblemSentence(folderProblem)
          )}
        </Alert>
      )}
      <Text size="sm" component="div">
        Last backup: <When at={lastSuccessAt} empty="none yet" />. {schedule(status)}
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {folder}
        </Text>
      </Text>
    </>
  )
}

function schedule({ everyHours, keep }: BackupStatus): string {
  const kept = keep === 1 ? 'the newest copy is kept' : `the newest ${keep} copies are kept`
  if (everyHours === 0) return `Only when you ask; ${kept}.`
  return `${everyHours === 1 ? 'Every hour' : `Every ${everyHours} hours`}; ${kept}.`
}

interface RestoredProps {
  readonly outcome: Restoration
  readonly onClose: () => void
}

function Restored({ outcome, onClose }: RestoredProps) {
  const { aside, offered, carriedOver, lost } = outcome
  return (
    <Alert
      role="status"
      variant="light"
      color="tide"
      icon={<IconCircleCheck aria-hidden="true" />}
      title="The backup was restored"
      withCloseButton
      closeButtonLabel="Dismiss"
      onClose={onClose}
    >
      <Stack gap="xs" style={{ overflowWrap: 'anywhere' }}>
        {aside !== null && <span>The database that it replaced is kept as {aside}.</span>}
        {offered > 0 && (
          <span>
            {formatCounted(offered, 'release')} marked as offered, because devices may have been
            offered {offered === 1 ? 'it' : 'them'} since the backup.
          </span>
        )}
        <KeptChanges carriedOver={carriedOver} />
        <LostVersions lost={lost} />
      </Stack>
    </Alert>
  )
}

/** Says what a restore kept of the data that it replaced, or that it could keep nothing. */
function KeptChanges({ carriedOver }: { readonly carriedOver: CarriedOver | null }) {
  if (carriedOver === null) {
    return (
      <span>
        The replaced database could not be read. Repeat the rollbacks, rollout changes and key
        revocations made since the backup.
      </span>
    )
  }
  const kept = keptCounts(carriedOver)
  return kept.length === 0 ? null : <span>Kept from after the backup: {listed(kept)}.</span>
}
