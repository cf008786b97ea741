import { Button, Group, Table, Text, Tooltip, VisuallyHidden } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import { useState } from 'react'
import type { BackupStatus, KeptCopy } from '../../../shared/console/backups.ts'
import { formatSize } from '../../../shared/wording/format.ts'
import { backupProblemSentence } from '../../../shared/wording/storage-problem.ts'
import { openDownload } from '../../bridge/browser/files.ts'
import { isDesktop, serverClient } from '../../bridge/clients.ts'
import { ErrorNotice } from '../../components/change/error-notice.tsx'
import { useChange } from '../../components/change/use-change.ts'
import { When } from '../../components/text/when.tsx'
import classes from '../settings.module.css'
import { text } from './strings.ts'

interface Props {
  readonly status: BackupStatus
  /** Undefined where this server cannot be restored. */
  readonly onRestore: ((copy: KeptCopy) => void) | undefined
}

/** The backups in the folder, newest first. */
export function BackupsTable({ status, onRestore }: Props) {
  const [verifying, setVerifying] = useState<string>()
  const verify = useChange((name: string) => serverClient.backups.check.mutate({ name }), {
    done: () => undefined,
    failed: () => text.notVerified,
  })
  const download = useChange(downloadBackup, {
    done: () => undefined,
    failed: () => text.notDownloaded,
  })
  if (status.copies.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {text.empty}
      </Text>
    )
  }
  return (
    <>
      <ErrorNotice error={verify.error} title={text.notVerified} />
      <ErrorNotice error={download.error} title={text.notDownloaded} />
      <Table.ScrollContainer minWidth={560} type="native">
        <Table aria-label={text.title} horizontalSpacing={8}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{text.created}</Table.Th>
              <Table.Th>{text.size}</Table.Th>
              <Table.Th>{text.schema}</Table.Th>
              <Table.Th>{text.status}</Table.Th>
              <Table.Th w={isDesktop() ? 192 : 296}>
                <VisuallyHidden>{text.actions}</VisuallyHidden>
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
                      {text.otherFolder}
                    </Text>
                  )}
                </Table.Td>
                <Table.Td className={`numbers ${classes.size}`}>{formatSize(copy.bytes)}</Table.Td>
                <Table.Td className="numbers">{copy.schema ?? '–'}</Table.Td>
                <Table.Td>
                  <Checked copy={copy} />
                </Table.Td>
                <Table.Td>
                  <Group gap="xs" wrap="nowrap" justify="end">
                    <Button
                      variant="default"
                      size="xs"
                      aria-label={text.verifyName(copy.name)}
                      loading={verify.isPending && verifying === copy.name}
                      onClick={() => {
                        setVerifying(copy.name)
                        verify.send(copy.name)
                      }}
                    >
                      {text.verify}
                    </Button>
                    {!isDesktop() && (
                      <Button
                        variant="default"
                        size="xs"
                        aria-label={text.downloadName(copy.name)}
                        onClick={() => download.send(copy.name)}
                      >
                        {text.download}
                      </Button>
                    )}
                    {onRestore !== undefined && (
                      <Button
                        variant="default"
                        size="xs"
                        aria-label={text.restoreName(copy.name)}
                        onClick={() => onRestore(copy)}
                      >
                        {text.restore}
                      </Button>
                    )}
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

async function downloadBackup(name: string): Promise<void> {
  const { ticket } = await serverClient.backups.createDownload.mutate({ name })
  openDownload(ticket)
}

function Checked({ copy: { problem, checkedAt } }: { readonly copy: KeptCopy }) {
  if (problem === null) {
    return (
      <span className={classes.state} data-tone="good">
        <IconCircleCheck size={16} aria-hidden="true" />
        <span>
          {text.verified} <When at={checkedAt} />
        </span>
      </span>
    )
  }
  const words = backupProblemSentence(problem)
  return (
    <Tooltip label={words} multiline maw={360}>
      <span className={classes.state} data-tone="bad">
        <IconAlertTriangle size={16} aria-hidden="true" />
        {text.damaged}
        <VisuallyHidden>{words}</VisuallyHidden>
      </span>
    </Tooltip>
  )
}
