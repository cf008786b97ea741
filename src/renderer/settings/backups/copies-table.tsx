import { Button, Group, Table, Text, Tooltip, VisuallyHidden } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import type { BackupStatus, KeptCopy } from '../../../shared/console/backups.ts'
import { formatSize } from '../../../shared/wording/format.ts'
import { backupProblemSentence } from '../../../shared/wording/storage-problem.ts'
import { server } from '../../bridge/clients.ts'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { When } from '../../components/when.tsx'
import classes from '../settings.module.css'

interface Props {
  readonly status: BackupStatus
  readonly onRestore: (file: string) => void
  readonly onChecked: () => void
}

/** The copies in the folder, newest first. */
export function CopiesTable({ status, onRestore, onChecked }: Props) {
  const check = useMutation(server.backups.check.mutationOptions({ onSettled: onChecked }))
  if (status.copies.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        There are no copies yet. Choose “Back up now” to make the first.
      </Text>
    )
  }
  return (
    <>
      <ErrorNotice error={check.error} title="The copy could not be checked" />
      <Table.ScrollContainer minWidth={560} type="native">
        <Table aria-label="Backups" horizontalSpacing={8}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Made</Table.Th>
              <Table.Th>Size</Table.Th>
              <Table.Th>Schema</Table.Th>
              <Table.Th>Checked</Table.Th>
              <Table.Th w={192}>
                <VisuallyHidden>Actions</VisuallyHidden>
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {status.copies.map((copy) => (
              <Table.Tr key={copy.name}>
                <Table.Td>
                  <When at={copy.madeAt} />
                  {!copy.own && (
                    <Text size="xs" c="dimmed">
                      of another data folder
                    </Text>
                  )}
                </Table.Td>
                <Table.Td className={`numbers ${classes.size}`}>{formatSize(copy.bytes)}</Table.Td>
                <Table.Td className="numbers">{copy.schema ?? '–'}</Table.Td>
                <Table.Td className={classes.checked}>
                  <Checked copy={copy} />
                </Table.Td>
                <Table.Td>
                  <Group gap="xs" wrap="nowrap" justify="end">
                    <Button
                      variant="default"
                      size="xs"
                      aria-label={`Check the backup ${copy.name}`}
                      loading={check.isPending && check.variables.name === copy.name}
                      onClick={() => check.mutate({ name: copy.name })}
                    >
                      Check
                    </Button>
                    <Button
                      variant="default"
                      size="xs"
                      aria-label={`Restore the backup ${copy.name}`}
                      onClick={() => onRestore(copy.file)}
                    >
                      Restore…
                    </Button>
                  </Group>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </>
  )
}

function Checked({ copy: { problem, checkedAt } }: { readonly copy: KeptCopy }) {
  if (problem === null) {
    return (
      <span className={classes.state} data-tone="good">
        <IconCircleCheck size={16} aria-hidden="true" />
        <span>
          Whole, <When at={checkedAt} />
        </span>
      </span>
    )
  }
  const words = backupProblemSentence(problem)
  return (
    <Tooltip label={words} multiline maw={360}>
      <span className={classes.state} data-tone="bad">
        <IconAlertTriangle size={16} aria-hidden="true" />
        Damaged
        <VisuallyHidden>{words}</VisuallyHidden>
      </span>
    </Tooltip>
  )
}
