import { Button, Table, Text, VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ListedUpload } from '../../../shared/hosted-file.ts'
import { useAccess } from '../../bridge/access.ts'
import { server, serverClient } from '../../bridge/clients.ts'
import { useChange } from '../../components/change/use-change.ts'
import { ConfirmDialog } from '../../components/dialog/confirm-dialog.tsx'
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
  const remove = useChange(
    ({ id }: ListedUpload) => serverClient.files.removeUpload.mutate({ id }),
    {
      done: (_output, { name }) => text.uploadDeleted(name),
      failed: ({ name }) => text.uploadNotDeleted(name),
      onDone: () => setChosen(undefined),
    },
  )
  const uploads = data?.uploads ?? []
  return (
    <>
      {uploads.length > 0 && <UploadsTable uploads={uploads} onDelete={setChosen} />}
      <ConfirmDialog
        opened={chosen !== undefined}
        title={text.deleteUpload(chosen?.name ?? '')}
        action={text.delete}
        change={remove}
        onConfirm={() => chosen && remove.send(chosen)}
        onClose={() => setChosen(undefined)}
      >
        {text.deleteUploadText(chosen?.offset ?? 0)}
      </ConfirmDialog>
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
      <Table aria-label={text.uploads} horizontalSpacing={8}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{text.name}</Table.Th>
            <Table.Th>{text.arrived}</Table.Th>
            <Table.Th>{text.uploadedBy}</Table.Th>
            <Table.Th>{text.progress}</Table.Th>
            <Table.Th>
              <VisuallyHidden>{text.actions}</VisuallyHidden>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {uploads.map((upload) => (
            <Table.Tr key={upload.id}>
              <Table.Td className={classes.file ?? ''}>{upload.name}</Table.Td>
              <Table.Td className="numbers">{text.ofSize(upload.offset, upload.size)}</Table.Td>
              <Table.Td>{upload.by ?? text.unknown}</Table.Td>
              <Table.Td>
                <When at={upload.progressAt} />
              </Table.Td>
              <Table.Td ta="end">
                {mayDelete && (
                  <Button
                    variant="default"
                    size="xs"
                    aria-label={text.deleteUpload(upload.name)}
                    onClick={() => onDelete(upload)}
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
