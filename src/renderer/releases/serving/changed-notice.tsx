import { Alert, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { ChangesList } from '../../audit/changes-list.tsx'
import type { HistoryEntry } from '../detail.ts'
import { text } from './strings.ts'

interface Props {
  readonly version: string
  /** What happened since, newest first. */
  readonly changes: readonly HistoryEntry[]
  /** What to do now. */
  readonly children: ReactNode
}

/** Says that a release changed while somebody was about to change it: who, when, from what to what. */
export function ChangedNotice({ version, changes, children }: Props) {
  return (
    <Alert
      role="alert"
      variant="light"
      color="yellow"
      icon={<IconAlertTriangle aria-hidden="true" />}
      title={text.changedTitle(version)}
    >
      <Stack gap="xs">
        {changes.length > 0 && <ChangesList changes={changes} />}
        <Text size="sm">{children}</Text>
      </Stack>
    </Alert>
  )
}
