import { Alert, Button, Progress, Stack, Table, Text, VisuallyHidden } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { HostedFilesAnswer } from '../../../shared/hosted-file.ts'
import { useAccess } from '../../bridge/access.ts'
import { server, serverClient } from '../../bridge/clients.ts'
import { useServerState } from '../../bridge/server-state.tsx'
import { useChange } from '../../components/change/use-change.ts'
import { ConfirmDialog } from '../../components/dialog/confirm-dialog.tsx'
import { Loaded } from '../../components/loading/loaded.tsx'
import { Loading } from '../../components/loading/loading.tsx'
import { Panel } from '../../components/panel.tsx'
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
  const remove = useChange(
    (file: ListedFile) => serverClient.files.remove.mutate({ sha512: file.sha512 }),
    {
      done: ({ name }) => text.deleted(name),
      failed: ({ name }) => text.notDeleted(name),
      onDone: () => setChosen(undefined),
    },
  )
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
      <ConfirmDialog
        opened={chosen !== undefined}
        title={text.deleteName(chosen?.name ?? '')}
        action={text.delete}
        change={remove}
        onConfirm={() => chosen && remove.send(chosen)}
        onClose={() => setChosen(undefined)}
      >
        {text.deleteText(chosen?.size ?? 0)}
      </ConfirmDialog>
    </Panel>
  )
}

function Space({ answer }: { readonly answer: HostedFilesAnswer }) {
  const { files, bytes, quotaBytes, collectionFailed } = answer
  return (
    <>
      {collectionFailed && (
        <Alert
          color="red"
          role="alert"
          variant="light"
          icon={<IconAlertTriangle aria-hidden="true" />}
        >
          {text.notCollected}
        </Alert>
      )}
      <Text size="sm" c="dimmed">
        {spaceLine(answer)}
      </Text>
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
      <Table aria-label={text.title} horizontalSpacing={8}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{text.name}</Table.Th>
            <Table.Th>{text.size}</Table.Th>
            <Table.Th>{text.uses}</Table.Th>
            <Table.Th>{text.stored}</Table.Th>
            <Table.Th>
              <VisuallyHidden>{text.actions}</VisuallyHidden>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {files.map((file) => (
            <Table.Tr key={file.sha512}>
              <Table.Td className={classes.file ?? ''} title={file.url}>
                {file.name}
              </Table.Td>
              <Table.Td className={`numbers ${classes.size}`}>{text.bytes(file.size)}</Table.Td>
              <Table.Td className="numbers">
                {file.uses === 0 ? text.unused : text.countOfUses(file.uses)}
              </Table.Td>
              <Table.Td>
                <When at={file.storedAt} />
              </Table.Td>
              <Table.Td ta="end">
                {mayDelete && file.uses === 0 && (
                  <Button
                    variant="default"
                    size="xs"
                    aria-label={text.deleteName(file.name)}
                    onClick={() => onDelete(file)}
                  >
                    {text.delete}
                  </Button>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
