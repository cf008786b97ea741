import { Progress, Stack, Table } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { HostedFilesAnswer } from '../../../shared/hosted-file.ts'
import { useAccess } from '../../bridge/access.ts'
import { server, serverClient } from '../../bridge/clients.ts'
import { useServerState } from '../../bridge/server-state.tsx'
import { ChangeDialog } from '../../components/dialog/confirm-dialog.tsx'
import { useLast } from '../../components/dialog/dialog.tsx'
import { DataTable } from '../../components/list/data-table.tsx'
import { Loaded } from '../../components/loading/loaded.tsx'
import { Loading } from '../../components/loading/loading.tsx'
import { Notice } from '../../components/notice.tsx'
import { Panel } from '../../components/panel.tsx'
import { SmallButton } from '../../components/small-button.tsx'
import { Quiet } from '../../components/text/quiet.tsx'
import { When } from '../../components/text/when.tsx'
import classes from '../settings.module.css'
import { text } from './strings.ts'
import { Uploads } from './uploads.tsx'

/** Milliseconds: the server announces no change of its files. */
const LOOK = 10_000

type ListedFile = HostedFilesAnswer['files'][number]

/** The files that the server stores, and their space; nothing where it stores none. */
export function FilesSection() {
  const running = useServerState().state === 'running'
  const stored = useQuery({ ...server.files.stored.queryOptions(), enabled: running })
  const options = server.files.list.queryOptions(undefined, { refetchInterval: LOOK })
  const query = useQuery({ ...options, enabled: running && stored.data === true })
  const [chosen, setChosen] = useState<ListedFile>()
  const shown = useLast(chosen)
  if (stored.data !== true) return null
  return (
    <Panel title={text.title}>
      <Loaded query={query} loading={<Loading rows={3} />}>
        {(answer) => (
          <Stack gap="md">
            <Space answer={answer} />
            {answer.files.length > 0 && <FilesTable files={answer.files} onDelete={setChosen} />}
            <Uploads />
          </Stack>
        )}
      </Loaded>
      <ChangeDialog
        opened={chosen !== undefined}
        title={text.deleteName(shown?.name ?? '')}
        action={text.delete}
        send={async () => shown && serverClient.files.remove.mutate({ sha512: shown.sha512 })}
        done={text.deleted(shown?.name ?? '')}
        failed={text.notDeleted(shown?.name ?? '')}
        onClose={() => setChosen(undefined)}
      >
        {text.deleteText(shown?.size ?? 0)}
      </ChangeDialog>
    </Panel>
  )
}

function Space({ answer }: { readonly answer: HostedFilesAnswer }) {
  const { files, bytes, patchBytes, quotaBytes, collectionFailed } = answer
  return (
    <>
      {collectionFailed && <Notice color="red">{text.notCollected}</Notice>}
      <Quiet>{spaceLine(answer)}</Quiet>
      {patchBytes > 0 && <Quiet>{text.patches(patchBytes)}</Quiet>}
      {quotaBytes !== null && files.length > 0 && (
        <Progress value={Math.round((bytes / quotaBytes) * 100)} aria-label={text.quota} />
      )}
    </>
  )
}

function spaceLine({ files, bytes, quotaBytes }: HostedFilesAnswer): string {
  if (files.length === 0) return text.empty
  return quotaBytes === null
    ? text.used(files.length, bytes)
    : text.usedOf(files.length, bytes, quotaBytes)
}

interface TableProps {
  readonly files: readonly ListedFile[]
  readonly onDelete: (file: ListedFile) => void
}

function FilesTable({ files, onDelete }: TableProps) {
  const mayDelete = useAccess().may('release_manager')
  return (
    <Table.ScrollContainer minWidth={560} type="native">
      <DataTable
        label={text.title}
        horizontalSpacing={8}
        rows={files}
        keyOf={({ sha512 }) => sha512}
        columns={[
          {
            name: text.name,
            className: classes.file,
            titleOf: ({ url }) => url,
            cell: ({ name }) => name,
          },
          {
            ...{ name: text.size, className: `numbers ${classes.size}` },
            cell: ({ size }) => text.bytes(size),
          },
          {
            ...{ name: text.uses, className: 'numbers' },
            cell: ({ uses }) => (uses === 0 ? text.unused : text.countOfUses(uses)),
          },
          { name: text.stored, cell: ({ storedAt }) => <When at={storedAt} /> },
          {
            ...{ name: text.actions, isUnnamed: true, ta: 'end' },
            cell: (file) =>
              mayDelete &&
              file.uses === 0 && (
                <SmallButton aria-label={text.deleteName(file.name)} onClick={() => onDelete(file)}>
                  {text.delete}
                </SmallButton>
              ),
          },
        ]}
      />
    </Table.ScrollContainer>
  )
}
