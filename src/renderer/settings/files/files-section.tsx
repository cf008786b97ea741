import { Progress, Stack, Table } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { HostedFilesAnswer, ListedUpload } from '../../../shared/files/hosted-file.ts'
import { useAccess } from '../../bridge/access.ts'
import { server, serverClient } from '../../bridge/clients.ts'
import { useServerState } from '../../bridge/server-state.tsx'
import { Notice, Panel, SmallButton } from '../../components/blocks.tsx'
import { useAsked } from '../../components/dialog/dialog.tsx'
import { ChangeDialog } from '../../components/dialog/dialog-form.tsx'
import { type Column, DataTable } from '../../components/list/data-table.tsx'
import { Loaded, Loading } from '../../components/loading/loading.tsx'
import { Quiet, Strong, When } from '../../components/text/words.tsx'
import { text } from './strings.ts'

/** Milliseconds: the server announces no change of its files and uploads. */
const LOOK = 10_000

type ListedFile = HostedFilesAnswer['files'][number]

/** The files that the server stores, and their space; nothing where it stores none. */
export function FilesSection() {
  const running = useServerState().state === 'running'
  const stored = useQuery({ ...server.files.stored.queryOptions(), enabled: running })
  const options = server.files.list.queryOptions(undefined, { refetchInterval: LOOK })
  const query = useQuery({ ...options, enabled: running && stored.data === true })
  const { about, ask, dialog } = useAsked<ListedFile>()
  if (stored.data !== true) return null
  return (
    <Panel title={text.title}>
      <Loaded query={query} loading={<Loading rows={3} />}>
        {(answer) => (
          <Stack gap="md">
            <Space answer={answer} />
            {answer.files.length > 0 && <FilesTable files={answer.files} onDelete={ask} />}
            <Uploads />
          </Stack>
        )}
      </Loaded>
      {about && (
        <ChangeDialog
          {...dialog}
          title={text.deleteName(about.name)}
          action={text.delete}
          send={() => serverClient.files.remove.mutate({ sha512: about.sha512 })}
          done={text.deleted(about.name)}
          failed={text.notDeleted(about.name)}
        >
          {text.deleteText(about.size)}
        </ChangeDialog>
      )}
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
    <Table.ScrollContainer minWidth={560} type="native" tabIndex={0}>
      <DataTable
        label={text.title}
        horizontalSpacing={8}
        rows={files}
        keyOf={({ sha512 }) => sha512}
        columns={[
          {
            name: text.name,
            className: 'wraps',
            titleOf: ({ url }) => url,
            cell: ({ name }) => name,
          },
          {
            ...{ name: text.size, className: 'numbers cut' },
            cell: ({ size }) => text.bytes(size),
          },
          {
            ...{ name: text.uses, className: 'numbers' },
            cell: ({ uses }) => (uses === 0 ? text.unused : text.countOfUses(uses)),
          },
          { name: text.stored, cell: ({ storedAt }) => <When at={storedAt} /> },
          deleteColumn(text.deleteName, onDelete, ({ uses }) => mayDelete && uses === 0),
        ]}
      />
    </Table.ScrollContainer>
  )
}

/** The column of the buttons that delete a row. */
function deleteColumn<Row extends { readonly name: string }>(
  label: (name: string) => string,
  onDelete: (row: Row) => void,
  isDeletable: (row: Row) => boolean,
): Column<Row> {
  return {
    ...{ name: text.actions, isUnnamed: true, ta: 'end' },
    cell: (row) =>
      isDeletable(row) && (
        <SmallButton aria-label={label(row.name)} onClick={() => onDelete(row)}>
          {text.delete}
        </SmallButton>
      ),
  }
}

/** The uploads that are not finished, and what they take of the space; nothing while there are none. */
function Uploads() {
  const options = server.files.uploads.queryOptions(undefined, { refetchInterval: LOOK })
  const { data } = useQuery(options)
  const { about, ask, dialog } = useAsked<ListedUpload>()
  const uploads = data?.uploads ?? []
  return (
    <>
      {uploads.length > 0 && <UploadsTable uploads={uploads} onDelete={ask} />}
      {about && (
        <ChangeDialog
          {...dialog}
          title={text.deleteUpload(about.name)}
          action={text.delete}
          send={() => serverClient.files.removeUpload.mutate({ id: about.id })}
          done={text.uploadDeleted(about.name)}
          failed={text.uploadNotDeleted(about.name)}
        >
          {text.deleteUploadText(about.offset)}
        </ChangeDialog>
      )}
    </>
  )
}

interface UploadsTableProps {
  readonly uploads: readonly ListedUpload[]
  readonly onDelete: (upload: ListedUpload) => void
}

function UploadsTable({ uploads, onDelete }: UploadsTableProps) {
  const mayDelete = useAccess().may('release_manager')
  return (
    <Table.ScrollContainer minWidth={560} type="native">
      <Strong fw={600}>{text.uploads}</Strong>
      <DataTable
        label={text.uploads}
        horizontalSpacing={8}
        rows={uploads}
        keyOf={({ id }) => id}
        columns={[
          { name: text.name, className: 'wraps', cell: ({ name }) => name },
          {
            ...{ name: text.arrived, className: 'numbers' },
            cell: ({ offset, size }) => text.ofSize(offset, size),
          },
          { name: text.uploadedBy, cell: ({ by }) => by ?? text.unknown },
          { name: text.progress, cell: ({ progressAt }) => <When at={progressAt} /> },
          deleteColumn(text.deleteUpload, onDelete, () => mayDelete),
        ]}
      />
    </Table.ScrollContainer>
  )
}
