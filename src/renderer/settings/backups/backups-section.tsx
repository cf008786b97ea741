import { List, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { BackupMade, BackupStatus } from '../../../shared/console/settings/backups.ts'
import { backupProblemSentence } from '../../../shared/wording/operation/storage-problem.ts'
import { isDesktop, server, serverClient } from '../../bridge/clients.ts'
import { useServerState } from '../../bridge/server-state.tsx'
import { useIsOwnServer } from '../../bridge/servers.tsx'
import { ErrorNotice, Notice, Panel } from '../../components/blocks.tsx'
import { useChange } from '../../components/change/use-change.ts'
import { Loaded, Loading } from '../../components/loading/loading.tsx'
import { Quiet, When } from '../../components/text/words.tsx'
import { BackUpButton, ChooseButton } from './backup-buttons.tsx'
import { BackupsTable } from './backups-table.tsx'
import type { ChosenBackup } from './chosen.ts'
import { CopyingFiles } from './files-progress.tsx'
import { RestoreDialog } from './restore-dialog.tsx'
import { LastRestoreNotice, type Restoration, Restored } from './restored.tsx'
import { madeText, scheduleText, text } from './strings.ts'

/** Milliseconds: the server announces no change of its backups. */
const LOOK = 5_000
/** The same while a backup is made here, or files are copied. */
const LOOK_COPYING = 1_000

/** The backups that there are, making one, and restoring one. */
export function BackupsSection() {
  const running = useServerState().state === 'running'
  const isOwn = useIsOwnServer()
  const [chosen, setChosen] = useState<ChosenBackup>()
  const [restored, setRestored] = useState<Restoration>()
  const backUp = useChange(makeBackup, { done: (files) => madeText(files), failed: text.notMade })
  const options = server.backups.status.queryOptions(undefined, {
    refetchInterval: ({ state }) =>
      backUp.isPending || state.data?.files?.progress ? LOOK_COPYING : LOOK,
  })
  const status = useQuery({ ...options, enabled: running })
  const restores = useQuery({
    ...server.backups.restoreStatus.queryOptions(),
    enabled: running && !isDesktop(),
  })
  if (status.data?.available === false)
    return <ElsewhereSection storesFiles={status.data.files !== null} />
  const mayRestore = isDesktop() ? isOwn : restores.data?.available === true
  const last = restores.data?.last ?? null
  return (
    <Panel
      title={text.title}
      actions={
        <>
          {mayRestore && <ChooseButton running={running} onChosen={setChosen} />}
          {(running || isOwn || status.data !== undefined) && (
            <BackUpButton
              // Until it is known whether there are stored files, to choose from.
              disabled={!running || status.isPending}
              loading={backUp.isPending || status.data?.running === true}
              storesFiles={status.data !== undefined && status.data.files !== null}
              onBackUp={backUp.send}
            />
          )}
        </>
      }
    >
      <Stack gap="md">
        {restored !== undefined && (
          <Restored outcome={restored} onClose={() => setRestored(undefined)} />
        )}
        {last !== null && restored === undefined && <LastRestoreNotice key={last.at} last={last} />}
        <ErrorNotice error={backUp.error} title={text.notMade} />
        {running ? (
          <Loaded query={status} loading={<Loading rows={3} />}>
            {(data) => (
              <>
                <Status status={data} />
                {data.files !== null && data.files.progress !== null && (
                  <CopyingFiles progress={data.files.progress} />
                )}
                <BackupsTable
                  status={data}
                  onRestore={mayRestore ? (copy) => setChosen({ kind: 'listed', copy }) : undefined}
                />
              </>
            )}
          </Loaded>
        ) : (
          <Quiet>{isOwn ? text.serverStopped : text.unreachable}</Quiet>
        )}
      </Stack>
      <RestoreDialog
        chosen={chosen}
        onClose={() => setChosen(undefined)}
        // A server that restores itself keeps the outcome, which is shown from there.
        onRestored={(outcome) => (isDesktop() ? setRestored(outcome) : void restores.refetch())}
      />
    </Panel>
  )
}

/** Returns whether stored files were copied; null if they were not asked for. */
async function makeBackup(withFiles: boolean): Promise<BackupMade['files'] | null> {
  if (withFiles) return (await serverClient.backups.nowWithFiles.mutate()).files
  await serverClient.backups.now.mutate()
  return null
}

function Status({ status }: { readonly status: BackupStatus }) {
  const { lastSuccessAt, lastFailure, folderProblem, folder } = status
  const failing = lastFailure !== null && (lastSuccessAt === null || lastFailure.at > lastSuccessAt)
  return (
    <>
      {(failing || folderProblem !== null) && (
        <Notice
          color="red"
          title={failing ? text.lastFailed : text.notListed}
          style={{ overflowWrap: 'anywhere' }}
        >
          {failing ? (
            <>
              <When at={lastFailure.at} />: {backupProblemSentence(lastFailure.problem)}
            </>
          ) : (
            folderProblem !== null && backupProblemSentence(folderProblem)
          )}
        </Notice>
      )}
      <Text size="sm" component="div">
        {text.last} <When at={lastSuccessAt} empty={text.none} />. {scheduleText(status)}
        <Quiet className="wraps">{folder}</Quiet>
      </Text>
    </>
  )
}

interface Props {
  /** Whether the server stores files, which are not in the database. */
  readonly storesFiles: boolean
}

/** In place of the backups, for a database that is backed up with its own tools. */
function ElsewhereSection({ storesFiles }: Props) {
  return (
    <Panel title={text.title}>
      <Stack gap="xs">
        <Text size="sm">{text.elsewhere}</Text>
        <List size="sm" spacing={4}>
          {text.elsewhereTools.map((tool) => (
            <List.Item key={tool}>{tool}</List.Item>
          ))}
        </List>
        {storesFiles && <Text size="sm">{text.elsewhereFiles}</Text>}
        <Quiet>{text.elsewhereGuide}</Quiet>
      </Stack>
    </Panel>
  )
}
