import { Group, Table, Tooltip, VisuallyHidden } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import { useState } from 'react'
import type { BackupStatus, KeptCopy } from '../../../shared/console/settings/backups.ts'
import { formatSize } from '../../../shared/wording/format.ts'
import { backupProblemSentence } from '../../../shared/wording/operation/storage-problem.ts'
import { openDownload } from '../../bridge/browser/files.ts'
import { isDesktop, serverClient } from '../../bridge/clients.ts'
import { ErrorNotice, SmallButton } from '../../components/blocks.tsx'
import { useChange } from '../../components/change/use-change.ts'
import { DataTable } from '../../components/list/data-table.tsx'
import { Quiet, Small, Toned, When } from '../../components/text/words.tsx'
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
    failed: text.notVerified,
  })
  const download = useChange(downloadBackup, { failed: text.notDownloaded })
  if (status.copies.length === 0) {
    return <Quiet>{text.empty}</Quiet>
  }
  return (
    <>
      <ErrorNotice error={verify.error} title={text.notVerified} />
      <ErrorNotice error={download.error} title={text.notDownloaded} />
      <Table.ScrollContainer minWidth={560} type="native">
        <DataTable
          label={text.title}
          horizontalSpacing={8}
          rows={status.copies}
          keyOf={({ name }) => name}
          columns={[
            {
              name: text.created,
              cell: ({ madeAt, own }) => (
                <>
                  <When at={madeAt} />
                  {!own && <Small>{text.otherFolder}</Small>}
                </>
              ),
            },
            {
              ...{ name: text.size, className: 'numbers cut' },
              cell: ({ bytes }) => formatSize(bytes),
            },
            { name: text.schema, className: 'numbers', cell: ({ schema }) => schema ?? '–' },
            { name: text.status, cell: (copy) => <Checked copy={copy} /> },
            {
              ...{ name: text.actions, isUnnamed: true, w: isDesktop() ? 192 : 296 },
              cell: (copy) => (
                <Group gap="xs" wrap="nowrap" justify="end">
                  <SmallButton
                    aria-label={text.verifyName(copy.name)}
                    loading={verify.isPending && verifying === copy.name}
                    onClick={() => {
                      setVerifying(copy.name)
                      verify.send(copy.name)
                    }}
                  >
                    {text.verify}
                  </SmallButton>
                  {!isDesktop() && (
                    <SmallButton
                      aria-label={text.downloadName(copy.name)}
                      onClick={() => download.send(copy.name)}
                    >
                      {text.download}
                    </SmallButton>
                  )}
                  {onRestore !== undefined && (
                    <SmallButton
                      aria-label={text.restoreName(copy.name)}
                      onClick={() => onRestore(copy)}
                    >
                      {text.restore}
                    </SmallButton>
                  )}
                </Group>
              ),
            },
          ]}
        />
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
      <Toned tone="good" icon={IconCircleCheck} size={16} gap={6} className={classes.state}>
        <span>
          {text.verified} <When at={checkedAt} />
        </span>
      </Toned>
    )
  }
  const words = backupProblemSentence(problem)
  return (
    <Tooltip label={words} multiline maw={360}>
      <span>
        <Toned tone="bad" icon={IconAlertTriangle} size={16} gap={6} className={classes.state}>
          {text.damaged}
          <VisuallyHidden>{words}</VisuallyHidden>
        </Toned>
      </span>
    </Tooltip>
  )
}
