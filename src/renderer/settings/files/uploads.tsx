import { Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ListedUpload } from '../../../shared/hosted-file.ts'
import { useAccess } from '../../bridge/access.ts'
import { server, serverClient } from '../../bridge/clients.ts'
import { ChangeDialog } from '../../components/dialog/confirm-dialog.tsx'
import { useLast } from '../../components/dialog/dialog.tsx'
import { DataTable } from '../../components/list/data-table.tsx'
import { SmallButton } from '../../components/small-button.tsx'
import { When } from '../../components/text/when.tsx'
import classes from '../settings.module.css'
import { text } from './strings.ts'

/** Milliseconds: the server announces no change of its uploads. */
const LOOK = 10_000

/** The uploads that are not finished, and what they take of the space; nothing while there are none. */
export function Uploads() {
  const options = server.files.uploads.queryOptions(undefined, { refetchInterval: LOOK })
  const { data } = useQuery(options)
  const [chosen, setChosen] = useState<ListedUpload>()
  const shown = useLast(chosen)
  const uploads = data?.uploads ?? []
  return (
    <>
      {uploads.length > 0 && <UploadsTable uploads={uploads} onDelete={setChosen} />}
      <ChangeDialog
        opened={chosen !== undefined}
        title={text.deleteUpload(shown?.name ?? '')}
        action={text.delete}
        send={async () => shown && serverClient.files.removeUpload.mutate({ id: shown.id })}
        done={text.uploadDeleted(shown?.name ?? '')}
        failed={text.uploadNotDeleted(shown?.name ?? '')}
        onClose={() => setChosen(undefined)}
      >
        {text.deleteUploadText(shown?.offset ?? 0)}
      </ChangeDialog>
    </>
  )
}

interface TableProps {
  readonly uploads: readonly ListedUpload[]
  readonly onDelete: (upload: ListedUpload) => void
}

function UploadsTable({ uploads, onDelete }: TableProps) {
  const mayDelete = useAccess().may('release_manager')
  return (
    <Table.ScrollContainer minWidth={560} type="native">
      <Text size="sm" fw={600}>
        {text.uploads}
      </Text>
      <DataTable
        label={text.uploads}
        horizontalSpacing={8}
        rows={uploads}
        keyOf={({ id }) => id}
        columns={[
          { name: text.name, className: classes.file, cell: ({ name }) => name },
          {
            ...{ name: text.arrived, className: 'numbers' },
            cell: ({ offset, size }) => text.ofSize(offset, size),
          },
          { name: text.uploadedBy, cell: ({ by }) => by ?? text.unknown },
          { name: text.progress, cell: ({ progressAt }) => <When at={progressAt} /> },
          {
            ...{ name: text.actions, isUnnamed: true, ta: 'end' },
            cell: (upload) =>
              mayDelete && (
                <SmallButton
                  aria-label={text.deleteUpload(upload.name)}
                  onClick={() => onDelete(upload)}
                >
                  {text.delete}
                </SmallButton>
              ),
          },
        ]}
      />
    </Table.ScrollContainer>
  )
}
